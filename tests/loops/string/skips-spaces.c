// expect: nonterminating
// The character that is looked for as well is not skipped.
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    char c = __VERIFIER_nondet_char();
    const char *p = "  x";
    while (*p == ' ' || *p == c) {
        if (*p == ' ')
            p++;
    }
    return 0;
}
