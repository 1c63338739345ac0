// expect: error kind=hang
// flags: --memory-model tso
// sequential: verified
#include "lost-wakeup.h"
