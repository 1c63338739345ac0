// expect: terminating
extern long __VERIFIER_nondet_long(void);

int main(void)
{
    long x = __VERIFIER_nondet_long();
    if (x > 1000000L)
        return 0;
    while (x > 1000) {
        x = x / 4;
    }
    return 0;
}
