// expect: terminating arithmetic=integer
// broken: nonterminating
// flags: --arithmetic integer
// A call returns at least its argument less ten.
int __VERIFIER_nondet_int(void);

static int f(int n)
{
    if (n > 100)
        return n - 10;
#ifdef BROKEN
    return f(f(n + 10));
#else
    return f(f(n + 11));
#endif
}

int main(void)
{
    return f(__VERIFIER_nondet_int());
}
