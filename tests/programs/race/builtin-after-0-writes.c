// expect: error kind=data-race
#define WRITES 0
#include "builtin-after-writes.c"
