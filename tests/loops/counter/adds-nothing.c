// expect: nonterminating
int main(void)
{
    int i = 0;
    int step = 0;
    while (i < 100) {
        i += step;
    }
    return 0;
}
