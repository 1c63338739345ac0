// expect: nonterminating
extern unsigned short __VERIFIER_nondet_ushort(void);

int main(void)
{
    unsigned sum = 0, odd = 1, n = __VERIFIER_nondet_ushort();
    while (sum <= n) {
        sum += odd;
        odd += 2;
        if (odd == 9)
            sum = odd = 1;
    }
    return 0;
}
