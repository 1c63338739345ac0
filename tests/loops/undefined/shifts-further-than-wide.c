// expect: unknown undefined=invalid-shift
// flags: --max-work 2
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint(), k = 0;
    while (x >> k)
        k += 4;
    return (int)k;
}
