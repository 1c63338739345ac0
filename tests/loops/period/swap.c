// expect: terminating
// broken: nonterminating
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
#ifndef BROKEN
    if (i > 5 || j > 5 || i < 0 || j < 0)
        return 0;
#endif
    while (i != 0 && j != 0) {
#ifdef BROKEN
        int t = i;
#else
        int t = i - 1;
#endif
        i = j;
        j = t;
    }
    return 0;
}
