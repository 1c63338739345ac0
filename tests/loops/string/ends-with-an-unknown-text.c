// expect: terminating
extern int __VERIFIER_nondet_int(void);

static int length(const char *text)
{
    const char *at = text;
    while (*at)
        at++;
    return at - text;
}

int main(void)
{
    int size = __VERIFIER_nondet_int();
    if (size < 1)
        size = 1;
    char *text = __builtin_alloca(size);
    text[size - 1] = 0;
    return length(text);
}
