// expect: terminating
// broken: nonterminating
int main(void)
{
    int a = 1, b = 2, c = 3;
#ifdef BROKEN
    while (a != 4) {
#else
    while (a != 3) {
#endif
        int t = a;
        a = b;
        b = c;
        c = t;
    }
    return 0;
}
