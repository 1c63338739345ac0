// expect: verified
// flags: --volatile atomic
// The reader is done with the object before it is freed.
#define RCU_MB
#define _LGPL_SOURCE
#include "replace.h"
