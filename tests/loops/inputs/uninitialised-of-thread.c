// expect: unknown truth=nonterminating reason=rounds
// broken: nonterminating
// flags: --havoc-globals --main waits
// A variable of a thread may have any value, though none is tried. With -DBROKEN: It is that of all.
#ifdef BROKEN
static int rounds;
#else
static _Thread_local int rounds;
#endif

int waits(void)
{
    while (rounds == 7)
        ;
    return 0;
}
