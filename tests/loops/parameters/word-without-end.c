// expect: nonterminating
// flags: --main f

int f(const char *s, int c)
{
    int at = 0;
    while (s[at] != c && at < 7) {
        if (s[at] == '\\')
            continue;
        at++;
    }
    return at;
}
