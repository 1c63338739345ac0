// expect: terminating
// broken: nonterminating
// A text of any length is copied; with -DBROKEN, the copy stays at an A.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int size = __VERIFIER_nondet_int();
    if (size < 1)
        size = 1;
    char *text = __builtin_alloca(size);
#ifdef BROKEN
    text[0] = 'A';
#endif
    text[size - 1] = 0;
    char *copy = __builtin_alloca(size);
    while ((*copy++ = *text++)) {
#ifdef BROKEN
        if (text[-1] == 'A') {
            copy--;
            text--;
        }
#endif
    }
    return 0;
}
