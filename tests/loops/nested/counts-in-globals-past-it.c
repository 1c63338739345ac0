// expect: terminating
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned x, y, turns;

static void count(void)
{
    for (y = 7; y != x; y++)
        turns++;
    y = y - 1;
}

int main(void)
{
    x = __VERIFIER_nondet_uint() % 200 | 15;
    while (x % 8 == 7) {
        count();
        x = y + 16;
    }
    return 0;
}
