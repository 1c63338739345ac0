// expect: nonterminating
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned wait(unsigned seed)
{
    while (1) {
        seed = seed * 69069 + 1;
        if (seed % 5 == 0)
            seed = seed / 5;
    }
    return seed;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 77)
        return wait(n);
    return 0;
}
