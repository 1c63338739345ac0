// expect: unknown
// flags: --max-work 2
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100)
        return 0;
    int a[n];
    for (int i = 0; i <= n; i++)
        a[i] = i;
    return a[n - 1];
}
