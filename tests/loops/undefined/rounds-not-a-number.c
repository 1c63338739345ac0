// expect: unknown undefined=undefined-value truth=nonterminating
// flags: --max-work 2
int main(void)
{
    double zero = 0;
    long rounded = (long)(zero / zero);
    for (;;)
        rounded ^= 1;
}
