// expect: terminating arithmetic=integer
// broken: nonterminating
// flags: --arithmetic integer
// Over unbounded integers u is -4, and the loop ends.
int main(void)
{
    int x = 1;
#ifdef BROKEN
    x = 9;
#endif
    unsigned u = x - 5;
    while (u > 3) {
    }
    return 0;
}
