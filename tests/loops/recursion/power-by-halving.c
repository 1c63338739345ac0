// expect: terminating
// broken: nonterminating
// Calls are as deep as the exponent has digits, though that may be any unsigned number. With
// -DBROKEN, half of one is one.
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned power(unsigned base, unsigned exponent)
{
    if (exponent == 0)
        return 1;
#ifdef BROKEN
    unsigned root = power(base, exponent - exponent / 2);
#else
    unsigned root = power(base, exponent / 2);
#endif
    return exponent % 2 ? root * root * base : root * root;
}

int main(void)
{
    return power(3, __VERIFIER_nondet_uint()) == 0;
}
