// expect: nonterminating
// clang: -fwrapv
int main(void)
{
    int i = 2147483600;
    while (i != 0) {
        i = i + 2;
        if (i < 0)
            i = 2147483601;
    }
    return 0;
}
