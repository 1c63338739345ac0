// expect: terminating
// broken: nonterminating
extern unsigned char __VERIFIER_nondet_uchar(void);

int parse(const unsigned char *options, const unsigned char *end)
{
    while (options + 1 < end) {
        if (options[0] == 0)
            return 1;
#ifdef BROKEN
        options += options[1];
#else
        options += 2 + options[1] % 4;
#endif
    }
    return 0;
}

int main(void)
{
    unsigned char buffer[8];
    for (int i = 0; i < 8; i++)
        buffer[i] = __VERIFIER_nondet_uchar();
    return parse(buffer, buffer + 8);
}
