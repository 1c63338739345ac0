// expect: terminating
// broken: nonterminating
extern int __VERIFIER_nondet_int(void);

static int f(int n)
{
    if (n <= 0)
        return 0;
#ifdef BROKEN
    return f(n > 9 ? n : n - 1);
#else
    return f(n > 9 ? n - 2 : n - 1);
#endif
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
#ifdef BROKEN
    if (n < 20)
#else
    if (n < 12)
#endif
        f(n);
    return 0;
}
