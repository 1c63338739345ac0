// expect: verified
// flags: --memory-model tso --store-buffer unbounded
// sequential: verified
#include "spsc.h"
