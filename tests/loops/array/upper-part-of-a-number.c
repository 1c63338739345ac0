// expect: nonterminating
// broken: terminating
// The loop reads a number and writes its upper byte.
unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned short number = __VERIFIER_nondet_uchar();
#ifdef BROKEN
    number |= 1;
    while (number != 0x1001 && number % 2 == 0)
#else
    while (number != 0x1001)
#endif
        ((unsigned char *)&number)[1]++;
    return 0;
}
