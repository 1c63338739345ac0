// expect: terminating
// broken: nonterminating
// flags: --main wait
static int wait(int n)
{
    while (n > 0)
#ifdef BROKEN
        ;
#else
        n--;
#endif
    return n;
}
