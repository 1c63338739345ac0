// expect: terminating
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint(), k = 0;
    while (k < 32 && x >> k)
        k += 4;
    return (int)k;
}
