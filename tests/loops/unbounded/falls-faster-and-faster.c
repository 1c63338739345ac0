// expect: terminating arithmetic=integer
// flags: --arithmetic integer
// x grows until y is negative: two phases.
int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    while (x > 0) {
        x = x + y;
        y = y - 1;
    }
    return 0;
}
