// expect: verified
// flags: --memory-model tso
// sequential: verified
#define FENCES
#include "chase-lev.h"
