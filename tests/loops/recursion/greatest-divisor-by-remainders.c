// expect: terminating
// broken: nonterminating
// From the second call on, the greater number is halved at least. With -DBROKEN, a remainder of
// zero counts as one.
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned divisor(unsigned a, unsigned b)
{
    if (b == 0)
        return a;
#ifdef BROKEN
    return divisor(b, a % b == 0 ? 1 : a % b);
#else
    return divisor(b, a % b);
#endif
}

int main(void)
{
    unsigned a = __VERIFIER_nondet_uint();
    return divisor(a, __VERIFIER_nondet_uint()) == 1;
}
