// expect: terminating arithmetic=integer
// flags: --arithmetic integer
// A remainder is smaller than what it divides by.
int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    while (a >= 0 && b > 0) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    return 0;
}
