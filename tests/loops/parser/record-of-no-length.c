// expect: nonterminating
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
        at += length;
        records++;
    }
    return records > 100;
}
