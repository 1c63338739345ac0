// expect: terminating
static int fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

int main(void)
{
    int i = 0;
    while (fib(i) < 5)
        i = (i + 1) % 6;
    return 0;
}
