// expect: nonterminating condition=overflow
int main(void)
{
    int i = 0;
    while (i % 2 == 0)
        i = i + 2;
    return i;
}
