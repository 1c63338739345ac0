// expect: nonterminating
int main(void)
{
    int a[4] = {4, 3, 2, 1};
    int i = 0;
    while (a[i] != 7)
        i = (i + 1) & 3;
    return 0;
}
