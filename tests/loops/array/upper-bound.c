// expect: terminating
// broken: nonterminating
// Bisection between any two numbers; with -DBROKEN, the middle is rounded up, and the upper end may stay.
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned lo = __VERIFIER_nondet_uint(), hi = __VERIFIER_nondet_uint();
    while (lo < hi) {
        unsigned mid = lo + (hi - lo) / 2;
#ifdef BROKEN
        mid = hi - (hi - lo) / 2;
#endif
        if (__VERIFIER_nondet_int())
            lo = mid + 1;
        else
            hi = mid;
    }
    return 0;
}
