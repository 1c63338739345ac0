// expect: terminating
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), i = 0;
    while (i < n)
        i++;
    if (i <= n)
        return 0;
    while (i > 5)
        i = i ^ 1;
    return 0;
}
