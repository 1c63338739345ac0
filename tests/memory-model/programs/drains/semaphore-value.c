// expect: error kind=assertion
// flags: --memory-model tso
// sequential: verified
// A look at a semaphore drains nothing.
#include <semaphore.h>
static int values[2];
#define DECLARES static sem_t semaphores[2];
#define SETUP(n) sem_init(&semaphores[n], 0, 1)
#define BEFORE(n) (void)0
#define CALL(n) sem_getvalue(&semaphores[n], &values[n])
#define AFTER(n) assert(values[n] == 1)
#include "spin-unlock.c"
