// expect: unknown
// flags: --max-work 2
// A text of any length is moved by a letter, over its end. A walk along it may not end there.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int size = __VERIFIER_nondet_int();
    if (size < 1)
        return 0;
    char *text = __builtin_alloca(size);
    text[size - 1] = 0;
    for (int i = size - 1; i > 0; i--)
        text[i] = text[i - 1];
    while (*text)
        text++;
    return 0;
}
