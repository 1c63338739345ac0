// expect: nonterminating condition=none
// broken: terminating
// slow: 18 s
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), m = __VERIFIER_nondet_uint(), c = 0;
#ifdef BROKEN
    if (n == -1u)
        return 0;
#endif
    for (unsigned i = 0; i < m; i++)
        for (unsigned j = i; j <= n; j++)
            c ^= j;
    return c;
}
