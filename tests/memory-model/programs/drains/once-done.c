// expect: error kind=assertion
// flags: --memory-model tso
// sequential: verified
// Where the routine was called before, pthread_once only loads.
#include <pthread.h>
#define DECLARES static pthread_once_t controls[2]; static void routine(void) {}
#define SETUP(n) pthread_once(&controls[n], routine)
#define BEFORE(n) (void)0
#define CALL(n) pthread_once(&controls[n], routine)
#define AFTER(n) (void)0
#include "spin-unlock.c"
