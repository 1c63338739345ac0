// expect: verified
// flags: --memory-model tso
// sequential: verified
#include "spsc.h"
