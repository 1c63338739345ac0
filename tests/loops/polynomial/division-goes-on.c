// expect: nonterminating condition=none
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
    if (y == 0)
        return 0;
    unsigned q = 0, r = x;
    while (x == q * y + r) {
        r = r - y;
        q = q + 1;
    }
    return q;
}
