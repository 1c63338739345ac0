// expect: terminating
extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void)
{
    unsigned long n = 0;
    while (n < 10 && __VERIFIER_nondet_ulong() != n)
        n++;
    return 0;
}
