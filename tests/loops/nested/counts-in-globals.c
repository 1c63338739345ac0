// expect: terminating
// broken: nonterminating line=23
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned x, y, turns;

static void count(void)
{
    for (y = 7; y != x; y++)
        turns++;
#ifndef BROKEN
    y = y - 1;
#endif
}

int main(void)
{
#ifdef BROKEN
    x = __VERIFIER_nondet_uint() | 15;
#else
    x = __VERIFIER_nondet_uint() % 200 | 15;
#endif
    while (x % 8 == 7) {
        count();
        x = y + 16;
    }
    return 0;
}
