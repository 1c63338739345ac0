// expect: terminating
// broken: nonterminating
extern int __VERIFIER_nondet_int(void);

enum { IDLE, SENDING, WAITING, DONE };

int main(void)
{
    int state = IDLE, tries = 0;
    while (state != DONE) {
        switch (state) {
        case IDLE:
            state = SENDING;
            break;
        case SENDING:
            state = WAITING;
            break;
        case WAITING:
            if (__VERIFIER_nondet_int() == 7)
                state = DONE;
            else
#ifdef BROKEN
                state = 1;
#else
                state = 3;
#endif
            break;
        }
        tries = !tries;
    }
    return tries;
}
