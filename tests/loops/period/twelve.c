// expect: terminating
// broken: nonterminating
int main(void)
{
    int x = 0, y = 0;
#ifdef BROKEN
    while (x + y < 6) {
#else
    while (x + y < 5) {
#endif
        x = (x + 1) % 3;
        y = (y + 1) % 4;
    }
    return 0;
}
