// expect: terminating
// broken: nonterminating
int main(void)
{
    unsigned char x = 0x11;
    while (x != 0)
#ifdef BROKEN
        x = (unsigned char)(x << 1 | x >> 7);
#else
        x = (unsigned char)(x << 1 | x >> 7) & 0x0f;
#endif
    return 0;
}
