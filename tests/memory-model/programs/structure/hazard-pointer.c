// expect: error kind=use-after-free|data-race
// flags: --memory-model tso
// sequential: verified
#include "hazard-pointer.h"
