// expect: nonterminating
int main(void)
{
    int x = 4;
    do {
        do {
            x--;
        } while (x > 2);
        x += 2;
    } while (x > 3);
    return 0;
}
