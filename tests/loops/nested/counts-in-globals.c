// expect: nonterminating line=15
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned x, y, turns;

static void count(void)
{
    for (y = 7; y != x; y++)
        turns++;
}

int main(void)
{
    x = __VERIFIER_nondet_uint() | 15;
    while (x % 8 == 7) {
        count();
        x = y + 16;
    }
    return 0;
}
