// expect: terminating
// flags: --main f

int f(const char *s, int c)
{
    int at = 0;
    while (at < 6 && s[at] != c) {
        if (s[at] == '\\')
            at++;
        at++;
    }
    return at;
}
