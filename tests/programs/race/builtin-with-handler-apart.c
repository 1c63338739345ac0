// expect: verified
// The two threads use two semaphores.
#define APART
#include "builtin-with-handler.c"
