// expect: verified
// The mutex orders the writes.
#define LOCKS
#include "after-long-loops.c"
