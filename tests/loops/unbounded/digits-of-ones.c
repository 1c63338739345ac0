// expect: nonterminating
// flags: --arithmetic integer
// What is divided by one stays what it is.
int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int(), base = __VERIFIER_nondet_int();
    if (base < 1)
        return 0;
    while (n > 0)
        n /= base;
    return 0;
}
