// expect: verified
// flags: --spurious-failures off
// No implementation of try_lock in use fails although no thread holds the mutex.
#include "try-lock-fails-spuriously.cpp"
