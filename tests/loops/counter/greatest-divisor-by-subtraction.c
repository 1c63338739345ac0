// expect: terminating
// broken: nonterminating
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
#ifndef BROKEN
    if (a == 0 || b == 0)
        return 0;
#endif
    while (a != b)
        a > b ? (a -= b) : (b -= a);
    return a;
}
