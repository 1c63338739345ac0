// expect: error data-race
// flags: --volatile atomic
// Without _LGPL_SOURCE, rcu_dereference passes the pointer by value: a plain read.
#define RCU_MB
#include "replace.h"
