// expect: nonterminating
extern short __VERIFIER_nondet_short(void);

int main(void)
{
    long x = __VERIFIER_nondet_short(), step = 20;
    while (x > 0) {
        x -= step;
        if (step > 0)
            step--;
    }
    return 0;
}
