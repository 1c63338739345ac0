// expect: nonterminating condition=none
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned n = 0;
    while (__VERIFIER_nondet_uchar() == (n & 255))
        n++;
    return 0;
}
