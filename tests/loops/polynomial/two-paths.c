// expect: nonterminating
// broken: terminating
// Both paths preserve the equation, in an order without a period.
int main(void)
{
    unsigned n = 0, square = 0;
    while (square == n * n) {
        if (n & 0x55) {
            n = n + 1;
            square = square + 2 * n - 1;
        } else {
            square = square + 4 * n + 4;
            n = n + 2;
        }
#ifdef BROKEN
        if (n > 90)
            square++;
#endif
    }
    return n;
}
