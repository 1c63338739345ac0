// expect: terminating
// broken: nonterminating
// Letters of a text of any length are replaced; with -DBROKEN, each replaces the other.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int size = __VERIFIER_nondet_int();
    if (size < 1)
        size = 1;
    char *text = __builtin_alloca(size);
#ifdef BROKEN
    text[0] = 'a';
#endif
    text[size - 1] = 0;
    while (*text) {
        if (*text == 'a') {
            *text = 'b';
#ifdef BROKEN
            continue;
        } else if (*text == 'b') {
            *text = 'a';
            continue;
#endif
        }
        text++;
    }
    return 0;
}
