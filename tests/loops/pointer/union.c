// expect: terminating
// broken: nonterminating
extern unsigned __VERIFIER_nondet_uint(void);

union view {
    unsigned word;
    unsigned char bytes[4];
};

int main(void)
{
    union view v;
    v.word = __VERIFIER_nondet_uint() | 1;
    while (v.bytes[0] & 1)
#ifdef BROKEN
        v.bytes[3] ^= 1;
#else
        v.word &= ~1u;
#endif
    return 0;
}
