// expect: nonterminating
static unsigned a, b;

int main(void)
{
    unsigned x = 1;
    while (1) {
        x = x * 1664525u + 1013904223u;
        if (x >> 31)
            a = x;
        else
            b = x;
    }
}
