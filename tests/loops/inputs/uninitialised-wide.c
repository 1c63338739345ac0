// expect: nonterminating
// broken: terminating
// flags: --havoc-globals --main waits
// A global number of 128 bits may have any value. With -DBROKEN: It has 64 bits less.
#ifdef BROKEN
static unsigned long long limit;
#else
static unsigned __int128 limit;
#endif

int waits(void)
{
    while (limit > ~0ull)
        ;
    return 0;
}
