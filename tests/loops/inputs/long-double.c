// expect: nonterminating inputs=1
// broken: unknown truth=nonterminating
// A long double may be 3. With -DBROKEN: It may be a half, which is no integral value.
long double __VERIFIER_nondet_longdouble(void);

#ifdef BROKEN
#define AWAITED 0.5L
#else
#define AWAITED 3
#endif

int main(void)
{
    long double x = __VERIFIER_nondet_longdouble();
    while (x == AWAITED)
        ;
    return 0;
}
