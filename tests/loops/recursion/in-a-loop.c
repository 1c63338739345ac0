// expect: terminating
// broken: nonterminating
static int fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

int main(void)
{
    int i = 0;
    while (fib(i) < 5)
#ifdef BROKEN
        i = (i + 1) % 4;
#else
        i = (i + 1) % 6;
#endif
    return 0;
}
