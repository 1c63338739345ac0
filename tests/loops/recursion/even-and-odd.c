// expect: terminating
// broken: nonterminating
// slow: 4 s
extern unsigned __VERIFIER_nondet_uint(void);

int odd(unsigned n);

int even(unsigned n)
{
#ifdef BROKEN
    return n == 0 ? 1 : odd(n - 2);
#else
    return n == 0 ? 1 : odd(n - 1);
#endif
}

int odd(unsigned n)
{
    return n == 0 ? 0 : !even(n);
}

int main(void)
{
#ifdef BROKEN
    return even(__VERIFIER_nondet_uint());
#else
    return even(__VERIFIER_nondet_uint() % 100000);
#endif
}
