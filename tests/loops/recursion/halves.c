// expect: terminating
// broken: nonterminating
extern unsigned __VERIFIER_nondet_uint(void);

unsigned f(unsigned n)
{
    if (n == 0)
        return 0;
#ifdef BROKEN
    return 1 + f(n / 2 + n % 2);
#else
    return 1 + f(n / 2);
#endif
}

int main(void)
{
#ifdef BROKEN
    return f(__VERIFIER_nondet_uint());
#else
    return f(__VERIFIER_nondet_uint() / 2);
#endif
}
