// expect: nonterminating
int main(void)
{
    int i = 0;
    again:
    for (i = 0; i < 4; i++)
        if (i == 3)
            goto again;
    return 0;
}
