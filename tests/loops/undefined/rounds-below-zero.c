// expect: unknown undefined=undefined-value truth=nonterminating
// flags: --max-time 5
int main(void)
{
    double small = -1;
    unsigned rounded = (unsigned)small;
    unsigned n = 1;
    while (n != 0)
        n *= 3;
    return rounded;
}
