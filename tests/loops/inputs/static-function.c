// expect: nonterminating
// flags: --main wait
static int wait(int n)
{
    while (n > 0)
        ;
    return n;
}
