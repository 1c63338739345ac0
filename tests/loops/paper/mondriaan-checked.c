// expect: unknown
// clang: -DCHECKED
// flags: --max-work 4
// The same with the check of the length that it lacked: nothing is found.
#include "../../../examples/loops/mondriaan.c"
