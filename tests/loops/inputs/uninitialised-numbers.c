// expect: unknown truth=nonterminating
// broken: terminating
// flags: --havoc-globals --main waits
// A global number that is no integer may have any value, too. With -DBROKEN: It is initialised.
#ifdef BROKEN
static double limit = 1;
#else
static double limit;
#endif

int waits(void)
{
    while (limit == 0.5)
        ;
    return 0;
}
