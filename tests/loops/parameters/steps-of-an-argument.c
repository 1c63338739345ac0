// expect: nonterminating
// flags: --main f

unsigned f(unsigned from, unsigned to, unsigned step)
{
    while (from < to)
        from += step;
    return from;
}
