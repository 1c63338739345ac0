// expect: nonterminating
int main(void)
{
    int table[256];
    for (unsigned char i = 0; i < 256; i++)
        table[i] = i;
    return table[3];
}
