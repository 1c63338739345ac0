// expect: terminating
// broken: nonterminating
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint() % 6 + 1;
#ifdef BROKEN
    while (x != 0)
        x = x * 3 % 7;
#else
    while (x % 3)
        x = x * 3 % 6;
#endif
    return 0;
}
