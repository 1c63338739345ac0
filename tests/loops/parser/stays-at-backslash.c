// expect: terminating
// broken: nonterminating
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    char text[6];
    for (int i = 0; i < 5; i++)
        text[i] = __VERIFIER_nondet_char();
    text[5] = 0;
    unsigned i = 0, words = 0;
    while (text[i]) {
        if (text[i] == '\\') {
            words++;
#ifndef BROKEN
            i++;
#endif
        } else {
            i++;
        }
    }
    return 0;
}
