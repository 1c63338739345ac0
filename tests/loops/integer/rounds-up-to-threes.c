// expect: nonterminating line=8 arithmetic=integer
// flags: --arithmetic integer
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    while (x > 9) {
        int y = 0;
        while (y < x)
            y += 3;
        x = y + 1;
    }
    return 0;
}
