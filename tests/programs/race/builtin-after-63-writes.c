// expect: error kind=data-race
#define WRITES 63
#include "builtin-after-writes.c"
