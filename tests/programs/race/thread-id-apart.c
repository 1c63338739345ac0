// expect: verified
// Each id has a variable of its own.
#define APART
#include "thread-id.c"
