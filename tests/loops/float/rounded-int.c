// expect: nonterminating
// The input is rounded to a float, to which one cannot be added.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 16777217 || n > 18000000)
        return 0;
    float x = n;
    while (x < 20000000) {
        x = x + 1;
    }
    return 0;
}
