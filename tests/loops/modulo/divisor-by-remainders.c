// expect: terminating
// broken: nonterminating
// Euclid's algorithm: a remainder is less than what divides.
int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    if (a < 0 || b < 0)
        return 0;
    while (b != 0) {
        int rest = a % b;
        a = b;
#ifdef BROKEN
        b = rest | 1;
#else
        b = rest;
#endif
    }
    return a;
}
