// expect: terminating
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint(), z = __VERIFIER_nondet_uint();
    while (x > 0) {
        if (z > 0)
            z--;
        else if (y > 0) {
            y--;
            z = x;
        } else {
            x--;
            y = 10;
        }
    }
    return 0;
}
