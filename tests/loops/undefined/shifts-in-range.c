// expect: terminating
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned m = __VERIFIER_nondet_uint(), k = 0;
    while (k < 30 && (int)m > (1 << k) - 1)
        k += 1;
    return (int)k;
}
