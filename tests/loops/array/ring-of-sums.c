// expect: nonterminating condition=none
int main(void)
{
    unsigned sums[8] = {0};
    unsigned at = 0;
    for (;;) {
        sums[at % 8] += at;
        at += 3;
    }
}
