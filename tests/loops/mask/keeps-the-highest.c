// expect: terminating
// broken: nonterminating
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned char x = __VERIFIER_nondet_uchar();
    while (x)
#ifdef BROKEN
        x = (x >> 1) | (x & 0x80);
#else
        x = x >> 1;
#endif
    return 0;
}
