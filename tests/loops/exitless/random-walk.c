// expect: nonterminating

int main(void)
{
    unsigned x = 1;
    for (;;) {
        x = x * 1103515245 + 12345;
        if (x & 1)
            x ^= 0x5bd1e995;
    }
}
