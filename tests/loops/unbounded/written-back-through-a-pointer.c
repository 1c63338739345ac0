// expect: nonterminating
// flags: --arithmetic integer
// Both pointers name one object.
int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int *p = &n, *q = &n;
    while (*p > 0) {
        *q = *q + 1;
        *p = *p - 1;
    }
    return 0;
}
