// expect: nonterminating iterations=1
// ilp32: nonterminating iterations=1
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    double x = __VERIFIER_nondet_int();
    while (x > 0.5) {
        x = x * 0.5 + 0.5;
    }
    return 0;
}
