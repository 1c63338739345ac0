// expect: nonterminating condition=none
// broken: terminating
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = 5, y = 7;
    while (x + y < 1000) {
        unsigned d = __VERIFIER_nondet_uint();
#ifdef BROKEN
        d &= 255;
#endif
        x += d;
        y++;
    }
    return 0;
}
