// expect: nonterminating
// ilp32: terminating
extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void)
{
    unsigned long x = __VERIFIER_nondet_ulong();
    while (x >> 16 >> 16) {
        x = x * 3 | 1ul << 16 << 16;
    }
    return 0;
}
