// expect: nonterminating
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int i = __VERIFIER_nondet_int();
    while (i > 0) {
        if (i != 5)
            i = i - 1;
    }
    return 0;
}
