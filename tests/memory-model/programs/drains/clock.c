// expect: error kind=assertion
// flags: --memory-model tso
// sequential: verified
// A look at the clock is no system call.
#include <time.h>
#define DECLARES
#define SETUP(n) (void)0
#define BEFORE(n) (void)0
#define CALL(n) time(0)
#define AFTER(n) (void)0
#include "spin-unlock.c"
