// expect: nonterminating
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
    while (y != 0) {
        unsigned r = x % (y + 1);
        x = y;
        y = r;
    }
    return 0;
}
