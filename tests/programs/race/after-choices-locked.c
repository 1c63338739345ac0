// expect: verified
// The mutex orders the writes.
#define LOCKS
#include "after-choices.c"
