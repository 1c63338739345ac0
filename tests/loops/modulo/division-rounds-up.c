// expect: nonterminating
// One is halved to one.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    while (x > 0) {
        x = x / 2 + x % 2;
    }
    return 0;
}
