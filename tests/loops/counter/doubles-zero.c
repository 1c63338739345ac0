// expect: nonterminating
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();
    while (x < 1000) {
        x = 2 * x;
    }
    return 0;
}
