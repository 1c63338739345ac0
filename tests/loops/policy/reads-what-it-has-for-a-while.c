// expect: terminating
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = 5, n = 0;
    while (n < 20) {
        unsigned d = __VERIFIER_nondet_uint();
        if (d != x)
            break;
        x = x * 3 + n;
        n++;
    }
    return 0;
}
