// expect: unknown undefined=undefined-value truth=nonterminating
// flags: --max-work 2
int main(void)
{
    double large = 1e10;
    int rounded = (int)large;
    for (;;)
        ;
    return rounded;
}
