// expect: terminating
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uchar(), x = 0;
    while (x < 100) {
        unsigned i = 0;
        while (i < n) {
            i++;
            x++;
        }
        x = x - n + 1;
    }
    return 0;
}
