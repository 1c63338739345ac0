// expect: nonterminating
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int state = __VERIFIER_nondet_int();
    while (state != 9) {
        switch (state) {
        case 0: state = 1; break;
        case 1: state = 2; break;
        case 2: state = 0; break;
        default: state = 9;
        }
    }
    return 0;
}
