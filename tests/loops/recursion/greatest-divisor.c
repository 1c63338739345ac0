// expect: terminating
// broken: nonterminating
// With -DBROKEN: With b = 0 nothing is subtracted.
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned gcd(unsigned a, unsigned b)
{
    if (a == b)
        return a;
    return a > b ? gcd(a - b, b) : gcd(a, b - a);
}

int main(void)
{
#ifdef BROKEN
    gcd(6, __VERIFIER_nondet_uint() % 4);
#else
    gcd(6, __VERIFIER_nondet_uint() % 4 + 1);
#endif
    return 0;
}
