// expect: nonterminating condition=none
int main(void)
{
    unsigned sum = 0;
    for (int i = 0; i < 100000; i++)
        sum += i;
    unsigned x = 1;
    while (x != 0)
        x += 2;
    return sum;
}
