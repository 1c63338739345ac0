// expect: nonterminating
int main(void)
{
    int i = 0;
    while (i < 10) {
    }
    return 0;
}
