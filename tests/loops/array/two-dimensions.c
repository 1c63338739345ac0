// expect: terminating
// broken: nonterminating
int main(void)
{
#ifdef BROKEN
    int m[2][2] = {{0, 1}, {1, 0}};
#else
    int m[2][2] = {{0, 1}, {2, 0}};
#endif
    int x = 0;
    while (x < 2)
#ifdef BROKEN
        x = m[x][1 - x];
#else
        x = m[x][x ? 0 : 1];
#endif
    return 0;
}
