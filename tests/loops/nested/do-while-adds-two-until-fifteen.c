// expect: terminating
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uchar() % 16;
    while (x < 15) {
        unsigned y = 0;
        do
            y++;
        while (y < x);
        x = y + 2;
    }
    return 0;
}
