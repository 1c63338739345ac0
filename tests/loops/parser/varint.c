// expect: terminating
// broken: nonterminating
extern unsigned __VERIFIER_nondet_uint(void);

/* Writes a number seven bits at a time. */
int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    int bytes = 0;
#ifdef BROKEN
    while (n >= 0) {
#else
    while (n > 0) {
#endif
        n >>= 7;
        bytes ^= 1;
    }
    return bytes;
}
