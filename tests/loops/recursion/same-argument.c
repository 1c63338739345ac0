// expect: terminating
// broken: nonterminating
static int f(int n)
{
    if (n == 0)
        return 0;
#ifdef BROKEN
    return f(n) + 1;
#else
    return f(n - 1) + 1;
#endif
}

int main(void)
{
#ifdef BROKEN
    f(3);
#else
    f(9);
#endif
    return 0;
}
