// expect: terminating
extern unsigned __VERIFIER_nondet_uint(void);

unsigned f(unsigned n)
{
    if (n == 0)
        return 0;
    return 1 + f(n / 2);
}

int main(void)
{
    return f(__VERIFIER_nondet_uint() / 2);
}
