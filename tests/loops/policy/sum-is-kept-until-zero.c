// expect: terminating
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = 30, y = 2;
    while (x > 0) {
        unsigned d = __VERIFIER_nondet_uint();
        if (d + 3 * x + y != 100)
            return 0;
        x = x - 1;
        y = y + d;
    }
    return 0;
}
