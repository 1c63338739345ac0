// expect: terminating arithmetic=integer
// flags: --arithmetic integer
// Whatever y is refilled with, x has become smaller.
int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    while (x > 0) {
        if (y > 0) {
            y--;
        } else {
            x--;
            y = __VERIFIER_nondet_int();
        }
    }
    return 0;
}
