// expect: nonterminating condition=none
// broken: terminating
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint(), y = 0;
#ifdef BROKEN
    while (y < 1000) {
#else
    for (;;) {
#endif
        unsigned k = __VERIFIER_nondet_uint();
        if (k != x + y)
            break;
        x = x * 3 + 1;
        y++;
    }
    return 0;
}
