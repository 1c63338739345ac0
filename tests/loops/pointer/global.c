// expect: nonterminating
static int flag = 1, other;

static void touch(void)
{
    other ^= 1;
}

int main(void)
{
    while (flag)
        touch();
    return 0;
}
