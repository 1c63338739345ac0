// expect: terminating
// broken: nonterminating
// In two of the states it is known that the counter is not negative; with -DBROKEN, one of them
// gives back what another one took.
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    int state = 0, n = __VERIFIER_nondet_int();
    while (state != 3) {
        switch (state) {
        case 0:
            if (n > 0) {
                n--;
                state = 1;
            } else
                state = 3;
            break;
        case 1:
            state = __VERIFIER_nondet_bool() ? 2 : 0;
            break;
        case 2:
#ifdef BROKEN
            n++;
#else
            n--;
#endif
            state = 0;
            break;
        default:
            state = 3;
        }
    }
    return 0;
}
