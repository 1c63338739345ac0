// expect: nonterminating
extern long __VERIFIER_nondet_long(void);

int main(void)
{
    long n = __VERIFIER_nondet_long(), d = __VERIFIER_nondet_long();
    if (n < 0 || n > 1000000 || d < 0 || d > 1000)
        return 0;
    while (n > 0)
        n += d;
    return 0;
}
