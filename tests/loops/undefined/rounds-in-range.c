// expect: nonterminating
int main(void)
{
    double large = 2e9;
    int rounded = (int)large;
    while (rounded == 2000000000)
        ;
    return 0;
}
