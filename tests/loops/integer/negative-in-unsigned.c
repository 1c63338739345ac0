// expect: unknown
// broken: nonterminating
// flags: --arithmetic integer --max-time 5
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
