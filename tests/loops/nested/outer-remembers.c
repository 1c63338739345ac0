// expect: terminating
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 6)
        return 0;
    int left = n;
    while (left > 0) {
        int sum = 0;
        for (int j = 0; j < n; j++)
            sum++;
        left = left - sum;
    }
    return 0;
}
