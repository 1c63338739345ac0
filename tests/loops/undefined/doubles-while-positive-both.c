// expect: nonterminating arithmetic=integer
// flags: --arithmetic both
// On the machine only overflow ends it; over unbounded integers it never ends.
int main(void)
{
    int i = 1;
    while (i > 0)
        i = 2 * i;
    return i;
}
