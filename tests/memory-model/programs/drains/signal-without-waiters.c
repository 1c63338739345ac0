// expect: error kind=assertion
// flags: --memory-model tso
// sequential: verified
// No thread waits for the condition: it is only read.
#define DECLARES static pthread_cond_t conditions[2];
#define SETUP(n) pthread_cond_init(&conditions[n], 0)
#define BEFORE(n) (void)0
#define CALL(n) pthread_cond_signal(&conditions[n])
#define AFTER(n) (void)0
#include "spin-unlock.c"
