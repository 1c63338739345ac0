// expect: terminating
// slow: 4 s
extern int __VERIFIER_nondet_int(void);

static void clear(char *from, char *end)
{
    while (from != end)
        *from++ = 0;
}

int main(void)
{
    int count = __VERIFIER_nondet_int();
    if (count < 1)
        count = 1;
    char *bytes = __builtin_alloca(count);
    clear(bytes, bytes + count);
    return 0;
}
