// expect: terminating
// broken: nonterminating
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 1000)
        return 0;
    unsigned i = 0, j = 0;
    while (j < n) {
        i = 0;
        while (i < n) {
            i++;
            if (i == 5)
#ifdef BROKEN
                j = 0;
#else
                j = j;
#endif
        }
        j++;
    }
    return 0;
}
