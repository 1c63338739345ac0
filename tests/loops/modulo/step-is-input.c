// expect: nonterminating
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned k = __VERIFIER_nondet_uint();
    unsigned i = 0;
    if (k > 20)
        return 0;
    do {
        i = (i + k) % 12;
    } while (i != 5);
    return 0;
}
