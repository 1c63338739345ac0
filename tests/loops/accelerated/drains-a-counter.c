// expect: nonterminating
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), total = 7;
    if (n == 0)
        return 0;
    while (total != 0) {
        unsigned left = n;
        while (left > 0) {
            left--;
            total += 2;
        }
        total = total - 2 * n + left;
    }
    return 0;
}
