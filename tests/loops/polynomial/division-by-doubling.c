// expect: nonterminating arithmetic=integer
// flags: --arithmetic integer
// An inner loop doubles; what the outer loop compares is always the dividend.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (x < 0 || y < 1)
        return 0;
    int q = 0, r = x;
    while (q * y + r == x) {
        int a = 1, b = y;
        while (r >= 2 * b) {
            a = 2 * a;
            b = 2 * b;
        }
        r = r - b;
        q = q + a;
    }
    return 0;
}
