// expect: terminating
// broken: nonterminating line=11 inputs=1
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned y = __VERIFIER_nondet_uint();
    for (unsigned x = 0; x < 400000; x++)
        if (y == 0)
            return 0;
    while (y == 1)
#ifdef BROKEN
        ;
#else
        y++;
#endif
    return 0;
}
