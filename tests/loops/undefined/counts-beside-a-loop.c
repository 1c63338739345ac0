// expect: terminating
// broken: nonterminating condition=overflow
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int k = __VERIFIER_nondet_int(), r = 0;
    while (k > 0) {
        r++;
#ifdef BROKEN
        r++;
#else
        k--;
#endif
    }
    return r;
}
