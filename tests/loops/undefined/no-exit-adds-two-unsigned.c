// expect: nonterminating condition=none
int main(void)
{
    unsigned r = 0;
    while (1)
        r += 2;
    return (int)r;
}
