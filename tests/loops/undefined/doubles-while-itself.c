// expect: nonterminating condition=overflow
// clang: -w
int main(void)
{
    int x = 1;
    while (x == x)
        x = 2 * x;
    return x;
}
