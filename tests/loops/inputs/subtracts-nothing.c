// expect: nonterminating
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = 10;
    while (x > 0) {
        unsigned y = __VERIFIER_nondet_uint();
        if (y <= x)
            x -= y;
    }
    return 0;
}
