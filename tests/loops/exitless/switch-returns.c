// expect: terminating
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uchar();
    for (;;) {
        switch (x % 4) {
        case 0:
            x = x / 2 + 1;
            break;
        case 1:
            x = x + 2;
            break;
        case 2:
            x = x + 1;
            break;
        default:
            return x;
        }
    }
}
