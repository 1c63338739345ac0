// expect: nonterminating condition=none
int main(void)
{
    unsigned i = 0;
    while (i % 2 == 0)
        i = i + 2;
    return (int)i;
}
