// expect: terminating
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
    while (a > 0 && b > 0 && b < 250) {
        if (__VERIFIER_nondet_int()) {
            a = a - 1;
            b = b + 2;
        } else b = b - 1;
    }
    return 0;
}
