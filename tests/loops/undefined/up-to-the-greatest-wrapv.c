// expect: nonterminating condition=none
// clang: -w -fwrapv
int main(void)
{
    int i;
    for (i = 0; i <= 2147483647; i++) {
    }
    return i;
}
