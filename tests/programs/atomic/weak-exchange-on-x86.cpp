// expect: verified
// flags: --spurious-failures off
#include "weak-exchange-fails.cpp"
