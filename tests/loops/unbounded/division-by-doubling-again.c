// expect: terminating arithmetic=integer
// broken: nonterminating
// flags: --arithmetic both
// What is subtracted is doubled as long as it fits. If signed overflow wraps around, doubling may
// not end; over unbounded integers it does, and that needs no condition.
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

int main(void)
{
    int left = __VERIFIER_nondet_int(), by = __VERIFIER_nondet_int();
#ifdef BROKEN
    __VERIFIER_assume(left >= 0 && by >= 0);
#else
    __VERIFIER_assume(left >= 0 && by >= 1);
#endif
    int quotient = 0;
    while (left >= by) {
        int part = 1, double_by = by;
        while (left >= 2 * double_by) {
            part = 2 * part;
            double_by = 2 * double_by;
        }
        left -= double_by;
        quotient += part;
    }
    return quotient;
}
