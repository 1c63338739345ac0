// expect: nonterminating
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    while (__VERIFIER_nondet_int() != 0) {
    }
    return 0;
}
