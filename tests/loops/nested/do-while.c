// expect: terminating
// broken: nonterminating
int main(void)
{
    int x = 4;
    do {
        do {
            x--;
        } while (x > 2);
#ifdef BROKEN
        x += 2;
#else
        x += 1;
#endif
    } while (x > 3);
    return 0;
}
