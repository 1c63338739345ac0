// expect: terminating
// broken: nonterminating
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int odd = 0;
#ifdef BROKEN
    for (short i = 0; i < n; i++)
#else
    for (int i = 0; i < n; i++)
#endif
        odd = !odd;
    return odd;
}
