// expect: nonterminating
int main(void)
{
    int i = 10;
    unsigned long address = (unsigned long)&i;
    while (i > 0) {
        i--;
        *(int *)address = 10;
    }
    return 0;
}
