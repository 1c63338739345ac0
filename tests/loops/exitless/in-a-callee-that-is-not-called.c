// expect: terminating
extern unsigned char __VERIFIER_nondet_uchar(void);

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
    unsigned n = __VERIFIER_nondet_uchar();
    if (n == 277)
        return wait(n);
    return 0;
}
