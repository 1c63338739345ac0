// expect: terminating
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned char x = __VERIFIER_nondet_uchar();
    while (x)
        x = x >> 1;
    return 0;
}
