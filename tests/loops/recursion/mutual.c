// expect: terminating
// broken: nonterminating
extern int __VERIFIER_nondet_int(void);

static int odd(int n);

static int even(int n)
{
#ifdef BROKEN
    return n == 0 || odd(n == 3 ? 8 : n - 1);
#else
    return n == 0 || odd(n - 1);
#endif
}

static int odd(int n)
{
    return n != 0 && even(n - 1);
}

int main(void)
{
    even(7 + 2 * (__VERIFIER_nondet_int() & 1));
    return 0;
}
