// expect: nonterminating
int main(void)
{
    unsigned char i = 1;
    while (i != 100) {
        i += 2;
    }
    return 0;
}
