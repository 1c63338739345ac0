// expect: nonterminating condition=none
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = 1, y = 2;
    for (;;) {
        unsigned d = __VERIFIER_nondet_uint();
        if (d + 3 * x + y != 100)
            return 0;
        x = x + y;
        y = y + d;
    }
}
