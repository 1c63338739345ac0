// expect: error kind=hang line=20|32 message="m"
// flags: --sections=rwlock
// One of the ways out does not leave the mutex.
#define IS_LEFT value
#include "shared-timed-mutex.cpp"
