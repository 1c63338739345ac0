// expect: error kind=hang line=18|24|30
// The wait undoes one lock of a recursive mutex, and there are two: no other thread can get it to
// signal.
#define IS_HELD true
#include "recursive-waited-with.cpp"
