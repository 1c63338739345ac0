// expect: nonterminating
int main(void)
{
    unsigned char x = 7;
    while (x != 0)
        x = x * 3;
    return 0;
}
