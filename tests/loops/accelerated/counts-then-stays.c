// expect: nonterminating
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), i = 0, j = 0;
    while (i < n) {
        i++;
        j += 2;
    }
    while (j % 2 == 0)
        j += 4;
    return 0;
}
