// expect: nonterminating
int main(void)
{
    double x = 1;
    while (x > 0) {
        x = x * 3;
    }
    return 0;
}
