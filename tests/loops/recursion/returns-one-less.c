// expect: terminating
extern unsigned short __VERIFIER_nondet_ushort(void);

static int less(int n)
{
    if (n <= 1)
        return 0;
    return less(n - 1) + 1;
}

int main(void)
{
    int n = __VERIFIER_nondet_ushort();
    while (n > 0)
        n = less(n);
    return 0;
}
