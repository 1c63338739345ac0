// expect: terminating
// broken: nonterminating
// With -DBROKEN: With n = 0 the bound is the greatest number of its type.
extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void)
{
    unsigned long n = __VERIFIER_nondet_ulong();
    unsigned long i = 0;
#ifdef BROKEN
    if (n > 3)
#else
    if (n > 3 || n == 0)
#endif
        return 0;
    while (i <= n - 1) {
        i = (i + 1) & 3;
        if (n != 0 && i == n)
            break;
    }
    return 0;
}
