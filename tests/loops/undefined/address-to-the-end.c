// expect: terminating
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char b[100];
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 100)
        return 0;
    for (char *p = b; p < b + n; p++)
        *p = 0;
    for (char *p = b + n; p > b; p--)
        p[-1] = 1;
    return 0;
}
