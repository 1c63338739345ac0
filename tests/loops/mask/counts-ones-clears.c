// expect: terminating
extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void)
{
    unsigned long x = __VERIFIER_nondet_ulong();
    int ones = 0;
    for (; x; x = x & (x - 1))
        ones ^= 1;
    return ones;
}
