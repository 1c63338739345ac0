// expect: terminating
extern int __VERIFIER_nondet_int(void);

static int f(int n)
{
    if (n <= 0)
        return 0;
    return f(n > 9 ? n - 2 : n - 1);
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 12)
        f(n);
    return 0;
}
