// expect: terminating
// broken: nonterminating
// One of two numbers counts down, by an address that is either's; with -DBROKEN, or that of a third one.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *one = malloc(sizeof *one), *other = malloc(sizeof *other), third = 0;
    if (!one || !other)
        return 0;
    *one = __VERIFIER_nondet_int();
    *other = __VERIFIER_nondet_int();
    int *which = __VERIFIER_nondet_int() ? one : other;
#ifdef BROKEN
    if (__VERIFIER_nondet_int())
        which = &third;
#endif
    while (*one > 0 && *other > 0)
        *which -= *which > 0;
    return third;
}
