// expect: verified
// A compare-exchange that fails spuriously is tried again, and succeeds.
#define GOES_ON(expected) !atomic_compare_exchange_weak(&value, &(expected), 1)
#include "spurious-exchange-ends.c"
