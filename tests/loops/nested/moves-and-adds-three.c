// expect: terminating
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned long x = __VERIFIER_nondet_uchar();
    unsigned long step = 3;
    while (x % 4 == 1) {
        unsigned long up = 0, down = x;
        while (down > 0) {
            down--;
            up = up + 1;
        }
        x = up + step;
    }
    return 0;
}
