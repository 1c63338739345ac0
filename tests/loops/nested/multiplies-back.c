// expect: nonterminating
int main(void)
{
    unsigned x = 6;
    while (x > 1) {
        while (x % 2 == 0)
            x /= 2;
        while (x % 4 != 0)
            x *= 2;
    }
    return 0;
}
