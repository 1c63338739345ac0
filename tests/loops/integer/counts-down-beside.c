// expect: nonterminating arithmetic=integer reads=46
// flags: --arithmetic integer
long __VERIFIER_nondet_long(void);

int main(void)
{
    long x = 46, steps = 0;
    while (x > 9) {
        x = __VERIFIER_nondet_long();
        steps--;
    }
    return 0;
}
