// expect: unknown reason=outside
// flags: --max-work 8
// slow: 6 s
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 10000)
        return 0;
    int *a = __builtin_alloca(n * sizeof(int));
    for (int i = 0; i < n - 1; i++) {
        int best = i;
        for (int j = i + 1; j < n; j++)
            if (a[j] < a[best])
                best = j;
        a[best + 1] = 0;
    }
    return 0;
}
