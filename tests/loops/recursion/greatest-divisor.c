// expect: terminating
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned gcd(unsigned a, unsigned b)
{
    if (a == b)
        return a;
    return a > b ? gcd(a - b, b) : gcd(a, b - a);
}

int main(void)
{
    gcd(6, __VERIFIER_nondet_uint() % 4 + 1);
    return 0;
}
