// expect: nonterminating

int main(void)
{
    unsigned n = 1;
    while (1) {
        for (;;) {
            n = n * 5 + 3;
            if (n % 16 == 0)
                break;
            if (n % 3 == 1)
                break;
        }
        n ^= n >> 3;
    }
    return n;
}
