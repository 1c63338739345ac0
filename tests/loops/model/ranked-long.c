// expect: terminating
// ilp32: terminating
extern long __VERIFIER_nondet_long(void);

int main(void)
{
    long x = __VERIFIER_nondet_long(), y = __VERIFIER_nondet_long();
    while (x > 0 && y > 0) {
        if (__VERIFIER_nondet_long() > 0) {
            x--;
        } else {
            y--;
        }
    }
    return 0;
}
