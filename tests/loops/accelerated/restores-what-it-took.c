// expect: nonterminating
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned a = __VERIFIER_nondet_uint(), b = 0;
    while (a + b != 1) {
        while (a > 0) {
            a--;
            b++;
        }
        while (b > 0) {
            b--;
            a++;
        }
    }
    return 0;
}
