// expect: verified
// The semaphore is initialised before the other thread starts.
#define JOINS
#include "builtin-after-writes.c"
