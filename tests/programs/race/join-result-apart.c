// expect: verified
// Each result has a variable of its own.
#define APART
#include "join-result.c"
