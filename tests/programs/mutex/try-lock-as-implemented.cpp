// expect: verified
// flags: --spurious-failures off
// No implementation of try_lock in use fails though nobody holds the mutex.
#include "try-lock-fails-spuriously.cpp"
