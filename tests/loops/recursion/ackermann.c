// expect: terminating
// broken: nonterminating
#ifdef BROKEN
extern unsigned __VERIFIER_nondet_uint(void);
#else
extern unsigned char __VERIFIER_nondet_uchar(void);
#endif

#ifdef BROKEN
unsigned ackermann(unsigned m, unsigned n)
#else
int ackermann(int m, int n)
#endif
{
#ifdef BROKEN
    if (m == 0)
#else
    if (m <= 0)
#endif
        return n + 1;
#ifdef BROKEN
    if (n == 0)
        return ackermann(m, 1);
#else
    if (n <= 0)
        return ackermann(m - 1, 1);
#endif
    return ackermann(m - 1, ackermann(m, n - 1));
}

int main(void)
{
#ifdef BROKEN
    return ackermann(__VERIFIER_nondet_uint(), __VERIFIER_nondet_uint());
#else
    return ackermann(__VERIFIER_nondet_uchar(), __VERIFIER_nondet_uchar());
#endif
}
