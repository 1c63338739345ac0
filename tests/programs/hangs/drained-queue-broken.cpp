// expect: error kind=hang message="can never be woken"
// The other worker may be woken in place of main.
#define TELL notify_one
#include "drained-queue.cpp"
