// expect: nonterminating
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();
    if (x > 255)
        return 0;
    while (x)
        x = x & (x | 1);
    return 0;
}
