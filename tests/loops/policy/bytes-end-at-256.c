// expect: terminating
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned n = 0;
    while (__VERIFIER_nondet_uchar() == n)
        n++;
    return 0;
}
