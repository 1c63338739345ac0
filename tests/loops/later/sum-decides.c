// expect: nonterminating condition=none
int main(void)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < 100000; i++)
        sum += i * i;
    unsigned long step = sum | 1;
    unsigned long at = 7 * step;
    while (at % 2 == 1)
        at += 2 * step;
    return 0;
}
