// expect: verified
// flags: --nondet 3..3
// C++ declares inputs without extern "C": their symbols are mangled.
#include "../nondet/every-type.c"
