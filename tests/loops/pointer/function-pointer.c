// expect: nonterminating
extern _Bool __VERIFIER_nondet_bool(void);

static int up(int i)
{
    return i + 1;
}

static int same(int i)
{
    return i;
}

int main(void)
{
    int (*step)(int) = __VERIFIER_nondet_bool() ? up : same;
    int i = 0;
    while (i < 6)
        i = step(i);
    return 0;
}
