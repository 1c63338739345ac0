// expect: nonterminating arithmetic=integer
// flags: --arithmetic both
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    while (x > 3)
        x = x + x;
    return 0;
}
