// expect: nonterminating
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    if (a == 0 || b == 0)
        return 0;
    unsigned x = a, y = b, u = b, v = 0;
    while (x * u + y * v == a * b) {
        if (x > y) {
            x -= y;
            v += u;
        } else {
            y -= x;
            u += v;
        }
    }
    return 0;
}
