// expect: terminating
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uchar(), rounds = 0;
    while (n > 10) {
        unsigned low = 0, high = n;
        while (low < n) {
            low++;
            high--;
        }
        if (high == 0)
            n--;
        rounds++;
    }
    return 0;
}
