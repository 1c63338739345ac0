// expect: nonterminating
int main(void)
{
    int m[2][2] = {{0, 1}, {1, 0}};
    int x = 0;
    while (x < 2)
        x = m[x][1 - x];
    return 0;
}
