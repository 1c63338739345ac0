// expect: nonterminating
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    unsigned i = n & 0xfffffff0u;
    while (i <= n) {
        i++;
        if (i == 0)
            i = n;
    }
    return 0;
}
