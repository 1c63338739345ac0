// expect: nonterminating condition=none
// clang: -w
int main(void)
{
    short i = 0;
    while (i < 40000)
        i++;
    return i;
}
