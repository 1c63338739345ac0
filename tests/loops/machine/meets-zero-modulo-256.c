// expect: nonterminating
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned char x = __VERIFIER_nondet_uchar();
    
    while (x != 0)
        x = x * 5 + 1 - x;
    return 0;
}
