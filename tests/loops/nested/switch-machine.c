// expect: terminating
// broken: nonterminating
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int state = __VERIFIER_nondet_int();
    while (state != 9) {
        switch (state) {
        case 0: state = 1; break;
        case 1: state = 2; break;
#ifdef BROKEN
        case 2: state = 0; break;
#else
        case 2: state = 3; break;
#endif
        default: state = 9;
        }
    }
    return 0;
}
