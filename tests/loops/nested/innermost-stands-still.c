// expect: nonterminating
int main(void)
{
    for (int i = 0; i < 100; i++) {
        int m = i + 1000;
        while (m >= 0)
            m = m - 0;
    }
    return 0;
}
