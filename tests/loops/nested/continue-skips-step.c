// expect: nonterminating
int main(void)
{
    int i = 0;
    while (i < 6) {
        if (i == 2)
            continue;
        i++;
    }
    return 0;
}
