// expect: unknown
// flags: --max-work 2
// Compiled by gcc without optimisation, it runs forever for 2147483647.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned m = __VERIFIER_nondet_uint(), k = 0;
    while ((int)m > (1 << k) - 1)
        k += 1;
    return (int)k;
}
