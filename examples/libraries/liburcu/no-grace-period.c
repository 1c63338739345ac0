// expect: error data-race
// flags: --volatile atomic
// The writer does not wait for the reader.
#define RCU_MB
#define _LGPL_SOURCE
#define NO_GRACE_PERIOD
#include "replace.h"
