// expect: verified
// The compare-exchange fails since another thread changes the value.
#define CHANGES
#include "spurious-exchange-ends.c"
