// expect: nonterminating
int left = 10;

static void f(int n)
{
    if (n > 0)
        f(n - 1);
    else
        left = 10;
}

int main(void)
{
    while (left > 0) {
        left--;
        f(2);
    }
    return 0;
}
