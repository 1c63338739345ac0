// expect: nonterminating
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint(), base = __VERIFIER_nondet_uint();
    int n = 0;
    if (base == 0)
        return 0;
    do {
        n ^= 1;
        x = x / base;
    } while (x != 0);
    return 0;
}
