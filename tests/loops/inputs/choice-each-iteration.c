// expect: terminating
// broken: nonterminating
extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    int m = 0;
    while (m < 5) {
        if (__VERIFIER_nondet_bool())
#ifndef BROKEN
            m += 2;
        else
#endif
            m++;
#ifdef BROKEN
        else if (m > 0)
            m--;
#endif
    }
    return 0;
}
