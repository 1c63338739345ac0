// expect: nonterminating
// broken: terminating
// The loop reads both bytes as one number and changes one of them.
union {
    unsigned char bytes[2];
    unsigned short number;
} both = {{8, 0}};

int main(void)
{
    while (both.number < 300) {
#ifdef BROKEN
        both.bytes[1]++;
#else
        both.bytes[0]++;
#endif
    }
    return 0;
}
