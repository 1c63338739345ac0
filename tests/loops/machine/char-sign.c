// expect: terminating
// broken: nonterminating
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    char c = __VERIFIER_nondet_char();
#ifdef BROKEN
    while (c >= -128) {
#else
    while (c < 0) {
#endif
        c = c & 0x7f;
    }
    return 0;
}
