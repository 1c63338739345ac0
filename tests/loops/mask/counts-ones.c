// expect: terminating
// broken: nonterminating
extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void)
{
    unsigned long x = __VERIFIER_nondet_ulong();
    int ones = 0;
#ifdef BROKEN
    for (; x; x = (x & (x - 1)) | 1)
#else
    for (; x; x = x & (x - 1))
#endif
        ones ^= 1;
    return ones;
}
