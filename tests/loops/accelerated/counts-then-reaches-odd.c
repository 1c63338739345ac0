// expect: terminating
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uchar(), i = 0, j = 1;
    while (i < n) {
        i++;
        j += 2;
    }
    while (j % 2 == 0)
        j += 4;
    return 0;
}
