// expect: nonterminating line=10 arithmetic=integer
// flags: --arithmetic integer
// Section 2: over unbounded integers the set of i >= 0 and y <= 0 is never left.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int i = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (y != 0)
        while (i >= 0)
            i = i - y;
    return 0;
}
