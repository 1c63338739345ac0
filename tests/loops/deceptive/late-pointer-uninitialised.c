// expect: nonterminating
int main(void)
{
    int i = 10, first = 1;
    int *q;
    while (i > 0) {
        i--;
        if (!first)
            *q = 10;
        first = 0;
        q = &i;
    }
    return 0;
}
