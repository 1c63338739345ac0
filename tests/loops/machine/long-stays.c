// expect: nonterminating
// ilp32: terminating
extern long __VERIFIER_nondet_long(void);

int main(void)
{
    long x = __VERIFIER_nondet_long();
    while (x > 1000000000000L) {
        x = x / 2 * 2;
    }
    return 0;
}
