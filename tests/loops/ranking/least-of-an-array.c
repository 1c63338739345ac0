// expect: terminating
// slow: 5 s
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
        int t = a[i];
        a[i] = a[best];
        a[best] = t;
    }
    return 0;
}
