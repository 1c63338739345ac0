// expect: nonterminating condition=overflow
int main(void)
{
    int r = 0;
    while (1)
        r += 2;
    return r;
}
