// expect: nonterminating
// The inner loop leaves i = 1 every time.
int main(void)
{
    int i = 0;
    while (i < 3) {
        for (int j = 0; j < 2; j++)
            i = j;
        i++;
    }
    return 0;
}
