// expect: nonterminating
int main(void)
{
    unsigned char x = 0x11;
    while (x != 0)
        x = (unsigned char)(x << 1 | x >> 7);
    return 0;
}
