// expect: terminating
// broken: nonterminating
int main(void)
{
    int table[256];
#ifdef BROKEN
    for (unsigned char i = 0; i < 256; i++)
#else
    for (int i = 0; i < 256; i++)
#endif
        table[i] = i;
    return table[3];
}
