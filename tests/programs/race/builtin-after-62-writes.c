// expect: error kind=data-race
#define WRITES 62
#include "builtin-after-writes.c"
