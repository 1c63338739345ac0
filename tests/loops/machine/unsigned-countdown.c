// expect: nonterminating
extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void)
{
    unsigned long n = __VERIFIER_nondet_ulong(), sum = 0;
    for (unsigned long i = n; i >= 0; i--)
        sum ^= i;
    return sum == 3;
}
