// expect: unknown undefined=undefined-value truth=nonterminating
// flags: --max-time 5
int main(void)
{
    double large = 1e10;
    int rounded = (int)large;
    for (;;)
        ;
    return rounded;
}
