// expect: nonterminating
// flags: --arithmetic integer
int main(void)
{
    int i = 1;
    while (i > 0)
        i = 2 * i;
    return 0;
}
