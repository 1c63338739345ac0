// expect: error kind=assertion
// flags: --memory-model tso
// sequential: verified
#include "chase-lev.h"
