// expect: nonterminating condition=overflow
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0)
        return 0;
    for (int i = 0; i != n; i += 2) {
    }
    return 0;
}
