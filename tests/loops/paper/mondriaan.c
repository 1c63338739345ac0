// expect: nonterminating
// The permissions table of Mondriaan memory protection, as it is in the paper.
#include "../../../examples/loops/mondriaan.c"
