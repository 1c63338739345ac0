// expect: terminating
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = 1000, y = __VERIFIER_nondet_uint();
    if (y < 7 || y > 8)
        return 0;
    unsigned q = 0, r = x;
    while (x == q * y + r && r >= y) {
        r = r - y;
        q = q + 1;
    }
    return q;
}
