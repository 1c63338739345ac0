// expect: nonterminating
int main(void)
{
    unsigned i;
    for (i = 10; i >= 0; i--) {
        if (i > 20)
            i = 10;
    }
    return 0;
}
