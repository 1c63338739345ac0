// expect: unknown truth=terminating
// flags: --max-work 2
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
    if (a == 0 || b == 0)
        return 0;
    unsigned x = a, y = b, u = b, v = 0;
    while (x != y && x * u + y * v == a * b) {
        if (x > y) {
            x -= y;
            v += u;
        } else {
            y -= x;
            u += v;
        }
    }
    return u + v;
}
