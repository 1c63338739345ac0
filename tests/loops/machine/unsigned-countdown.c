// expect: terminating
// broken: nonterminating
extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void)
{
    unsigned long n = __VERIFIER_nondet_ulong(), sum = 0;
#ifdef BROKEN
    for (unsigned long i = n; i >= 0; i--)
#else
    for (unsigned long i = n; i > 0; i--)
#endif
        sum ^= i;
    return sum == 3;
}
