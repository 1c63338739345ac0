// expect: terminating
// broken: nonterminating
// How many letters at the start of a text are in a set; with -DBROKEN, the first of the set is no step.
extern char __VERIFIER_nondet_char(void);

static int span(const char *text, const char *set)
{
    const char *at = text;
    while (*at) {
        const char *one = set;
        while (*one && *one != *at)
            one++;
        if (!*one)
            break;
#ifdef BROKEN
        if (one != set)
#endif
        at++;
    }
    return at - text;
}

int main(void)
{
    char text[16], set[8];
    for (int i = 0; i < 15; i++)
        text[i] = __VERIFIER_nondet_char();
    for (int i = 0; i < 7; i++)
        set[i] = __VERIFIER_nondet_char();
    text[15] = set[7] = 0;
    return span(text, set);
}
