// expect: terminating
// ilp32: terminating
// slow: 6 s
extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void)
{
    unsigned long x = __VERIFIER_nondet_ulong(), bits = 0;
    while (x != 0) {
        x <<= 1;
        bits++;
    }
    while (bits > 8 * sizeof(long)) {
    }
    return 0;
}
