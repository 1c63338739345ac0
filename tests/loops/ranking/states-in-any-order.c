// expect: terminating
// broken: nonterminating
// The states of a machine are not passed in the order of their numbers; with -DBROKEN, it stays in one.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int state = 0, x = __VERIFIER_nondet_int();
    while (state != 3)
        switch (state) {
        case 0:
            state = x > 0 ? 1 : 3;
            break;
        case 1:
            x--;
            state = 2;
            break;
        case 2:
            state = 0;
#ifdef BROKEN
            if (x == 5)
                state = 2;
#endif
            break;
        default:
            state = 3;
        }
    return 0;
}
