// expect: nonterminating
int main(void)
{
    unsigned char c = 0;
    while (c < 255)
        c += 2;
    return 0;
}
