// expect: verified
// Whoever decrements a semaphore synchronises with those who have posted it, also where a failure
// makes this one of many attempts.
#define POSTED() (!sem_trywait(&posts))
#include "semaphore-value.c"
