// expect: terminating
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);

static int length(const char *text)
{
    const char *at = text;
    while (*at != '\0')
        at++;
    return (int)(at - text);
}

int main(void)
{
    int size = __VERIFIER_nondet_int();
    if (size < 1)
        size = 1;
    char *text = (char *)__builtin_alloca(size * sizeof(char));
    for (int i = 0; i < size - 1; i++)
        text[i] = __VERIFIER_nondet_char();
    text[size - 1] = '\0';
    return length(text);
}
