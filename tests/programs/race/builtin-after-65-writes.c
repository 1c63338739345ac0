// expect: error kind=data-race
#define WRITES 65
#include "builtin-after-writes.c"
