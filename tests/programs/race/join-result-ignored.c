// expect: verified
// One of the results is not stored.
#define IGNORED
#include "join-result.c"
