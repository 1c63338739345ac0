// expect: nonterminating
int main(void)
{
    unsigned char s = 1;
    while (s != 0) {
        s ^= (unsigned char)(s << 3);
        s ^= s >> 5;
    }
    return 0;
}
