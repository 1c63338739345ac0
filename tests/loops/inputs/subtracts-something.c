// expect: terminating
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = 4;
    while (x > 0) {
        unsigned y = __VERIFIER_nondet_uint();
        if (y == 0 || y > x)
            y = x;
        x -= y;
    }
    return 0;
}
