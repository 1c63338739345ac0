// expect: terminating
// broken: nonterminating
extern long __VERIFIER_nondet_long(void);

int main(void)
{
    long n = __VERIFIER_nondet_long(), d = __VERIFIER_nondet_long();
#ifdef BROKEN
    if (n < 0 || n > 1000000 || d < 0 || d > 1000)
#else
    if (n < 0 || n > 1000000 || d < 1 || d > 1000)
#endif
        return 0;
    while (n > 0)
#ifdef BROKEN
        n += d;
#else
        n -= d;
#endif
    return 0;
}
