// expect: terminating
// broken: unknown truth=nonterminating
// broken-flags: --max-work 2
// The lower half of an input of 128 bits is counted down past 5, and so is never 77. With -DBROKEN:
// It is 5 in the end, if it was odd.
__int128 __VERIFIER_nondet_int128(void);

#ifdef BROKEN
#define LAST 5
#else
#define LAST 77
#endif

int main(void)
{
    long n = __VERIFIER_nondet_int128();
    while (n != 5 && n > 0)
        n -= 2;
    while (n == LAST)
        ;
    return 0;
}
