// expect: nonterminating
int main(void)
{
    unsigned char i;
    int n = 0;
    for (i = 0; i < 300; i++) {
        n ^= i;
    }
    return 0;
}
