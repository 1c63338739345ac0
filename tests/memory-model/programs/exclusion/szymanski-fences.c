// expect: verified
// flags: --memory-model tso
// sequential: verified
// clang: -DROUNDS=2
#define FENCES
#include "szymanski.h"
