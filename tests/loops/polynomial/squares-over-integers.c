// expect: nonterminating arithmetic=integer
// broken: terminating
// flags: --arithmetic both
// An equation that always holds over unbounded integers, without a condition on overflow.
int __VERIFIER_nondet_int(void);

int main(void)
{
    int limit = __VERIFIER_nondet_int(), square = 1, odd = 1;
#ifdef BROKEN
    while (odd * odd - 4 * square + 2 * odd == 0) {
#else
    while (odd * odd - 4 * square + 2 * odd + 1 == 0) {
#endif
        odd = odd + 2;
        square = square + odd;
    }
    return limit;
}
