// expect: terminating
// broken: nonterminating
extern unsigned char __VERIFIER_nondet_uchar(void);

/* A name as in DNS: a byte over 191 is an offset into the packet. */
int main(void)
{
    unsigned char packet[8];
    for (int i = 0; i < 8; i++)
        packet[i] = __VERIFIER_nondet_uchar();
    unsigned pos = 0;
    while (pos < 8) {
        if (packet[pos] < 192)
            return packet[pos];
        unsigned next = packet[pos] & 63;
#ifndef BROKEN
        if (next <= pos)
            return -1;
#endif
        pos = next;
    }
    return 0;
}
