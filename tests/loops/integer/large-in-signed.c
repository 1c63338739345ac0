// expect: terminating arithmetic=integer
// broken: nonterminating
// flags: --arithmetic integer
// Over unbounded integers x is 3000000000, and the loop ends.
int main(void)
{
    unsigned u = 1500000000;
#ifdef BROKEN
    u = 0;
#endif
    u = u + u;
    int x = u;
    while (x < 3) {
    }
    return 0;
}
