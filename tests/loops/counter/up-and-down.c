// expect: nonterminating
int main(void)
{
    int i = 5, up = 1;
    while (i > 0) {
        i += up ? 1 : -1;
        if (i == 10)
            up = 0;
        if (i == 1)
            up = 1;
    }
    return 0;
}
