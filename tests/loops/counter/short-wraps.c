// expect: nonterminating
int main(void)
{
    unsigned short i = 0;
    while (i <= 65535) {
        i++;
    }
    return 0;
}
