// expect: unknown truth=nonterminating
// broken: nonterminating
// flags: --havoc-globals --main waits
// A bit-field may have any value, though it is not tried. With -DBROKEN: It is a member like others.
#ifdef BROKEN
#define BITS
#else
#define BITS : 4
#endif

static struct {
    unsigned low BITS;
    unsigned high BITS;
} pair;

int waits(void)
{
    while (pair.high == 5)
        ;
    return 0;
}
