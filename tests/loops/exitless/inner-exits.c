// expect: nonterminating
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    unsigned t = 0;
    while (1) {
        for (int i = 0; i < n; i++)
            t += i;
        n = n / 2 + 7;
    }
}
