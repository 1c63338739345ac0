// expect: nonterminating
extern unsigned char __VERIFIER_nondet_uchar(void);

static int same(int n)
{
    if (n <= 0)
        return 0;
    return same(n - 1) + 1;
}

int main(void)
{
    int n = __VERIFIER_nondet_uchar();
    while (n > 0)
        n = same(n);
    return 0;
}
