// expect: nonterminating
static int *same(int n, int *p)
{
    if (n > 0)
        return same(n - 1, p);
    return p;
}

int main(void)
{
    int i = 10;
    int *q = same(3, &i);
    while (i > 0) {
        i--;
        *q = 10;
    }
    return 0;
}
