// expect: nonterminating
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    while (x < 0) {
        x = (int)(0u - (unsigned)x);
    }
    return 0;
}
