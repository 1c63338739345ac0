// expect: nonterminating condition=none
// clang: -w
int main(void)
{
    signed char c = 0;
    while (c > -200)
        c--;
    return c;
}
