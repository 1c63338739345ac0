// expect: nonterminating
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint(), by = __VERIFIER_nondet_uint();
    if (by > 31)
        return 0;
    while (x != 0)
        x = x >> by;
    return 0;
}
