// expect: terminating
// broken: nonterminating
int main(void)
{
#ifdef BROKEN
    int y = 0;
    while (y < 2)
#else
    int y = 0, n = 0;
    while (y < 2) {
#endif
        y = 1 - y;
#ifndef BROKEN
        if (++n > 9)
            y = 2;
    }
#endif
    return 0;
}
