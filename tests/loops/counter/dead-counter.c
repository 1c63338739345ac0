// expect: nonterminating
// The counter is different in each turn, but nothing reads it.
int main(void)
{
    unsigned long n = 0;
    int i = 3;
    while (i == 3) {
        n++;
    }
    return 0;
}
