// expect: verified
// flags: --memory-model tso
// sequential: verified
#define FENCES
#include "lost-wakeup.h"
