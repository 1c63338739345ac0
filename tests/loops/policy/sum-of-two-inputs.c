// expect: nonterminating condition=none
// broken: terminating
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned s = __VERIFIER_nondet_uint(), n = 100;
    while (s - 1 < 50) {
        unsigned a = __VERIFIER_nondet_uint() & 15, b = __VERIFIER_nondet_uint() & 15;
        s += a + 1;
#ifdef BROKEN
        s += b;
#else
        s -= b;
#endif
    }
    return n;
}
