// expect: nonterminating condition=overflow
// clang: -w
int main(void)
{
    int i;
    for (i = 0; i <= 2147483647; i++) {
    }
    return i;
}
