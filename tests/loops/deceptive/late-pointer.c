// expect: nonterminating
// From the second turn on, q names i.
int main(void)
{
    int i = 10, j = 0;
    int *q = &j;
    while (i > 0) {
        i--;
        *q = 10;
        q = &i;
    }
    return 0;
}
