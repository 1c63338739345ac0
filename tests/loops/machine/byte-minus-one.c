// expect: terminating
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned char x = __VERIFIER_nondet_uchar();
    if (x > 20)
        return 0;
    while (x != 0)
        x = x - 1;
    return 0;
}
