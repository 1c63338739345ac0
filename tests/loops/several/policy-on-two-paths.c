// expect: nonterminating
// broken: terminating
// What is read next depends on the path, and the paths come in an order without a period.
unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = 7, k = 1;
#ifdef BROKEN
    for (int i = 0; i < 3; i++) {
#else
    while (1) {
#endif
        unsigned d = __VERIFIER_nondet_uint();
        if (x & 8) {
            if (d != k)
                break;
            x = x * 5 + 2;
        } else {
            if (d != x + 1)
                break;
            x = x * 3 + 4;
        }
        k = k * 3 + x;
    }
    return 0;
}
