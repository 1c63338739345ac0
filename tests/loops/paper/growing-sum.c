// expect: nonterminating line=9 arithmetic=integer
// flags: --arithmetic integer
// Section 5.1: x >= 0 and y >= 0 is a recurrent set.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    while (x >= 0) {
        x = x + y;
        y = y + 1;
    }
    return 0;
}
