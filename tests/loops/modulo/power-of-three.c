// expect: nonterminating
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint() % 6 + 1;
    while (x != 0)
        x = x * 3 % 7;
    return 0;
}
