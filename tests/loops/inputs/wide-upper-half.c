// expect: unknown truth=nonterminating reason=128-bit
// broken: terminating
// The upper half of an input of 128 bits may be 77 as well. With -DBROKEN: It is not looked at.
__int128 __VERIFIER_nondet_int128(void);

int main(void)
{
    long n = __VERIFIER_nondet_int128() >> 64;
#ifdef BROKEN
    n = 0;
#endif
    while (n == 77)
        ;
    return 0;
}
