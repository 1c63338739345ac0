// expect: nonterminating
// If p names y it is x that never changes.
extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    int x = 3, y = 3;
    int *p = __VERIFIER_nondet_bool() ? &x : &y;
    while (x > 0)
        *p = y - (p == &x);
    return 0;
}
