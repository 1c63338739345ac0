// expect: nonterminating
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    char c = __VERIFIER_nondet_char();
    while (c >= -128) {
        c = c & 0x7f;
    }
    return 0;
}
