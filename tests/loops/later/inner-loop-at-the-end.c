// expect: nonterminating
// broken: terminating
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int(), i = 0;
    while (i < n) {
        int j = 0;
        while (j < 10) {
#ifdef BROKEN
            if (i == -5000)
#else
            if (i == 5000)
#endif
                j = j;
            else
                j++;
        }
        i++;
    }
    return 0;
}
