// expect: nonterminating condition=none
// The index decides which elements are read, and its values do not repeat for long.

int main(void)
{
    unsigned ring[4] = {0};
    unsigned at = 0;
    while (ring[at % 4] < 1 || at % 2 == 0) {
        ring[(at + 1) % 4] = at % 2;
        at += 2;
    }
    return 0;
}
