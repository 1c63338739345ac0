// expect: unknown
// flags: --max-work 2
extern int __VERIFIER_nondet_int(void);

static int down(int n)
{
    return n > 0 ? down(n + 1) + 1 : 0;
}

int main(void)
{
    return down(__VERIFIER_nondet_int());
}
