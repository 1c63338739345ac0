// expect: terminating
// slow: 7 s
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uchar() % 8;
    while (x % 4 != 0) {
        unsigned y = x % 4;
        while (y < x)
            y += 4;
        x = y + 3;
    }
    return 0;
}
