// expect: terminating
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    char c = __VERIFIER_nondet_char();
    while (c < 0) {
        c = c & 0x7f;
    }
    return 0;
}
