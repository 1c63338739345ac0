// expect: nonterminating
int main(void)
{
    int next[5] = {1, 2, 3, 1, 4};
    int at = 0;
    while (at != 4)
        at = next[at];
    return 0;
}
