// expect: nonterminating
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), x = 0;
    while (x < 4000000000u) {
        unsigned i = 0;
        while (i < n) {
            i++;
            x++;
        }
        x = x - n;
    }
    return 0;
}
