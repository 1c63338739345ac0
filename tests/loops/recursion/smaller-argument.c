// expect: terminating
static int f(int n)
{
    if (n == 0)
        return 0;
    return f(n - 1) + 1;
}

int main(void)
{
    f(9);
    return 0;
}
