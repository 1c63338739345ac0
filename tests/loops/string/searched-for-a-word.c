// expect: terminating
// broken: nonterminating
// A word is looked for in a text; with -DBROKEN, the search skips what was the same, which may be nothing.
extern char __VERIFIER_nondet_char(void);

static const char *find(const char *text, const char *word)
{
    while (*text) {
        const char *one = text, *other = word;
        while (*other && *one == *other) {
            one++;
            other++;
        }
        if (!*other)
            return text;
#ifdef BROKEN
        text = one;
#else
        text++;
#endif
    }
    return 0;
}

int main(void)
{
    char text[16], word[5];
    for (int i = 0; i < 15; i++)
        text[i] = __VERIFIER_nondet_char();
    for (int i = 0; i < 4; i++)
        word[i] = __VERIFIER_nondet_char();
    text[15] = word[4] = 0;
    return find(text, word) != 0;
}
