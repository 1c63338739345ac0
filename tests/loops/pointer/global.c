// expect: terminating
// broken: nonterminating
#ifdef BROKEN
static int flag = 1, other;
#else
static int flag = 5;
#endif

static void touch(void)
{
#ifdef BROKEN
    other ^= 1;
#else
    flag--;
#endif
}

int main(void)
{
    while (flag)
        touch();
    return 0;
}
