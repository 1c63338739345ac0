// expect: nonterminating
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (x == -2147483647 - 1 || y == -2147483647 - 1)
        return 0;
    while (x * 0 == 0) {
        int t = x;
        x = -y;
        y = t;
    }
    return 0;
}
