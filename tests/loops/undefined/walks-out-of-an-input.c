// expect: unknown
// flags: --max-work 2
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char text[8];
    for (int i = 0; i < 8; i++)
        text[i] = (char)__VERIFIER_nondet_int();
    const char *at = text;
    while (*at)
        at++;
    return (int)(at - text);
}
