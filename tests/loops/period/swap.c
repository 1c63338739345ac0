// expect: nonterminating
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
    while (i != 0 && j != 0) {
        int t = i;
        i = j;
        j = t;
    }
    return 0;
}
