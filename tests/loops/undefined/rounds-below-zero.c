// expect: unknown undefined=undefined-value truth=nonterminating
// flags: --max-work 2
int main(void)
{
    double small = -1;
    unsigned rounded = (unsigned)small;
    unsigned n = 1;
    while (n != 0)
        n *= 3;
    return rounded;
}
