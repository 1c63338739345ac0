// expect: nonterminating inputs=1 condition=none
// flags: --havoc-locals
int main(void)
{
    int x;
    while (x > 0) {
        if (x < 100)
            x++;
        else
            x = 50;
    }
    return 0;
}
