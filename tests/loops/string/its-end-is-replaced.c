// expect: unknown
// flags: --max-work 2
// A text of any length is walked along twice. The first time, a letter at an index that is an
// input may have replaced its end.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int size = __VERIFIER_nondet_int(), at = __VERIFIER_nondet_int();
    if (size < 1 || at < 0 || at >= size)
        return 0;
    char *text = __builtin_alloca(size);
    text[size - 1] = 0;
    for (int i = 0; i < size; i++)
        if (i == at)
            text[i] = 'x';
    while (*text)
        text++;
    return 0;
}
