// expect: terminating
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int odd = 0;
    for (int i = 0; i < n; i++)
        odd = !odd;
    return odd;
}
