// expect: terminating
extern int __VERIFIER_nondet_int(void);
extern short __VERIFIER_nondet_short(void);

int main(void)
{
    long x = __VERIFIER_nondet_short(), y = __VERIFIER_nondet_short();
    while (x + y > 0) {
        if (__VERIFIER_nondet_int()) {
            x = x - 2;
            y = y + 1;
        } else {
            x = x + 1;
            y = y - 2;
        }
        if (x > 100000 || y > 100000 || x < -100000 || y < -100000)
            return 0;
    }
    return 0;
}
