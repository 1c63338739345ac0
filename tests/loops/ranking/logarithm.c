// expect: terminating
// slow: 6 s
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint(), q = 0;
    if (y < 2)
        return 0;
    while (x >= y) {
        x = x / y;
        q++;
    }
    return q;
}
