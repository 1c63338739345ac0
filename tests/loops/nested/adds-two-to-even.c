// expect: terminating
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();
    x = 2 * x;
    while (x != 0) {
        unsigned y = 0;
        while (y < x)
            y++;
        x = y + 2;
    }
    return 0;
}
