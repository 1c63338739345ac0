// expect: terminating arithmetic=integer
// broken: nonterminating
// flags: --arithmetic integer
// Over unbounded integers u is negative wherever the loop is reached.
int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    unsigned u = x;
#ifdef BROKEN
    if (x < 0 || x > 9)
#else
    if (x > 2)
#endif
        return 0;
    while (u > 3) {
    }
    return 0;
}
