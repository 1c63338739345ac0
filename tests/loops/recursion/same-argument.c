// expect: nonterminating
static int f(int n)
{
    if (n == 0)
        return 0;
    return f(n) + 1;
}

int main(void)
{
    f(3);
    return 0;
}
