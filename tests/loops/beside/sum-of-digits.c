// expect: nonterminating

int main(void)
{
    int x = 40, sum = 0, rounds = 0;
    while (x) {
        sum += x % 10;
        rounds++;
        if (x % 2)
            x = x + 1;
        else
            x = 40 - x + 2;
    }
    return sum + rounds;
}
