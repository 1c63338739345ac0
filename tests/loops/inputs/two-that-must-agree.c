// expect: nonterminating
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    while (a == b) {
        a = a ^ 1;
        b = b ^ 1;
    }
    return 0;
}
