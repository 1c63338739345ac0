// expect: nonterminating
int main(void)
{
    int a[3] = {0, 5, 0};
    while (a[0] != a[1])
        a[2] ^= 1;
    return 0;
}
