// expect: terminating
// broken: nonterminating
int main(void)
{
#ifdef BROKEN
    int x = 5;
#else
    int x = 27;
#endif
    while (x != 1) {
#ifdef BROKEN
        x = x % 2 ? 3 * x - 1 : x / 2;
#else
        x = x % 2 ? 3 * x + 1 : x / 2;
#endif
    }
    return 0;
}
