// expect: verified
// flags: --malloc-fail
// An allocation that fails is tried again, and succeeds.
#define GOES_ON(block) !(block)
#include "allocation-failure-ends.c"
