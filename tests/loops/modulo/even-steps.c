// expect: nonterminating
int main(void)
{
    int i = 1;
    while (i != 0)
        i = (i + 2) % 10;
    return 0;
}
