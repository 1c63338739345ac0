// expect: terminating arithmetic=integer
// flags: --arithmetic integer
// Both pointers name one object, and only one of them counts.
int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int(), other = 5;
    int *p = &n, *q = &other;
    while (*p > 0) {
        *q = *q + 1;
        *p = *p - 1;
    }
    return 0;
}
