// expect: error kind=data-race|assertion
// flags: --memory-model tso
// sequential: verified
#include "fast-mutex.h"
