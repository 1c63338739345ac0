// expect: nonterminating
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), rounds = 0;
    while (n > 10) {
        unsigned low = 0, high = n;
        while (low < n) {
            low++;
            high--;
        }
        if (high != 0)
            return 1;
        rounds++;
    }
    return 0;
}
