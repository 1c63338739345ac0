// expect: nonterminating
// Before the recursion that never ends, it enters the permissions of some thousand pages.
#define AS_PRINTED
#include "../../../examples/loops/mondriaan.c"
