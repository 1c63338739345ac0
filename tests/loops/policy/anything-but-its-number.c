// expect: nonterminating condition=none
extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void)
{
    unsigned long n = 0;
    while (__VERIFIER_nondet_ulong() != n)
        n++;
    return 0;
}
