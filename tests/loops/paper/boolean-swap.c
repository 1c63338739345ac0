// expect: nonterminating line=8 iterations=2
// Section 5.2: the state comes back when the loop is unrolled once.
extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    _Bool x = __VERIFIER_nondet_bool(), y = __VERIFIER_nondet_bool();
    while (x == y) {
        x = !x;
        y = !y;
    }
    return 0;
}
