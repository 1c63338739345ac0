// expect: inconclusive
// flags: --volatile atomic
// The writer waits for readers by the system call membarrier.
#define RCU_MEMBARRIER
#define _LGPL_SOURCE
#include "replace.h"
