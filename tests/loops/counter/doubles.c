// expect: terminating
// broken: nonterminating
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();
#ifndef BROKEN
    if (x == 0 || x > 3)
        return 0;
#endif
    while (x < 1000) {
        x = 2 * x;
    }
    return 0;
}
