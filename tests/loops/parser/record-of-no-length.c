// expect: terminating
// broken: nonterminating
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned char packet[16];
    for (int i = 0; i < 16; i++)
        packet[i] = __VERIFIER_nondet_uchar();
    unsigned at = 0;
    unsigned records = 0;
    while (at < 16) {
        unsigned length = packet[at];
#ifndef BROKEN
        if (length == 0)
            return 1;
#endif
        at += length;
        records++;
    }
    return records > 100;
}
