// expect: nonterminating
int main(void)
{
    int y = 0;
    while (y < 2)
        y = 1 - y;
    return 0;
}
