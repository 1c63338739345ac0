// expect: terminating
extern _Bool __VERIFIER_nondet_bool(void);

static int up(int i)
{
    return i + 1;
}

static int more(int i)
{
    return i + 2;
}

int main(void)
{
    int (*step)(int) = __VERIFIER_nondet_bool() ? up : more;
    int i = 0;
    while (i < 6)
        i = step(i);
    return 0;
}
