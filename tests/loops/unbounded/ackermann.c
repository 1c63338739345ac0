// expect: terminating arithmetic=integer
// broken: nonterminating
// flags: --arithmetic both
// That no argument is negative follows from what calls return, and the other way round.
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

int ackermann(int m, int n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
#ifdef BROKEN
        return ackermann(m, 1);
#else
        return ackermann(m - 1, 1);
#endif
    return ackermann(m - 1, ackermann(m, n - 1));
}

int main(void)
{
    int m = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
    __VERIFIER_assume(m >= 0 && n >= 0);
    return ackermann(m, n);
}
