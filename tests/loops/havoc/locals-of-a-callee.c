// expect: nonterminating
// flags: --havoc-locals
static unsigned guess(unsigned n)
{
    unsigned char seed;
    if (n > 3)
        seed = n;
    return seed * 3u;
}

int main(void)
{
    unsigned n = 1;
    while (guess(n) != 30)
        n = (n + 1) % 8;
    return 0;
}
