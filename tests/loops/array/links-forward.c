// expect: terminating
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned char next[4];
    for (int i = 0; i < 4; i++)
        next[i] = i + 1 + __VERIFIER_nondet_uchar() % 2;
    int at = 0;
    while (at < 4)
        at = next[at];
    return 0;
}
