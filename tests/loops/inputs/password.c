// expect: terminating
// broken: nonterminating
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    char a = __VERIFIER_nondet_char(), b = __VERIFIER_nondet_char(), c = __VERIFIER_nondet_char();
    if (a == 'k' && b == 'e' && c == 'y')
#ifdef BROKEN
        while (a) {
        }
#else
        while (a)
            a = 0;
#endif
    return 0;
}
