// expect: nonterminating
static void advance(int i)
{
    i++;
}

int main(void)
{
    int i = 0;
    while (i < 5)
        advance(i);
    return 0;
}
