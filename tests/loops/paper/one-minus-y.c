// expect: nonterminating line=9 arithmetic=integer
// flags: --arithmetic integer
// Section 5.3: a set without disjunction needs the loop twice.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int(), y = 0;
    while (x >= 0) {
        x = x + y;
        y = 1 - y;
    }
    return 0;
}
