// expect: nonterminating condition=overflow
// slow: 4 s
int main(void)
{
    int n = 0, square = 0, odd = 1;
    while (square == n * n) {
        n = n + 1;
        square = square + odd;
        odd = odd + 2;
    }
    return n;
}
