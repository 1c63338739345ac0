// expect: nonterminating
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();
    if (x > 0)
        while (x != 0)
            x = x - 2;
    return 0;
}
