// expect: verified
// The waiter waits again after a spurious wakeup, and is signalled.
#define GOES_ON() !signalled
#include "spurious-wakeup-ends.c"
