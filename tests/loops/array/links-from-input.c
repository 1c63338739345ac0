// expect: nonterminating
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned char next[3];
    for (int i = 0; i < 3; i++)
        next[i] = __VERIFIER_nondet_uchar() % 3;
    int at = 0;
    while (at != 2)
        at = next[at];
    return 0;
}
