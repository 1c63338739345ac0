// expect: verified
// A thread that decrements a semaphore synchronises with those that posted it, also where a failure
// makes this one of many attempts.
#define POSTED() (!sem_trywait(&posts))
#include "semaphore-value.c"
