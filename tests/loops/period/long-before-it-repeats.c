// expect: nonterminating
int main(void)
{
    unsigned short s = 1;
    while (s != 0)
        s = (unsigned short)(s * 5 + 3) | 1;
    return 0;
}
