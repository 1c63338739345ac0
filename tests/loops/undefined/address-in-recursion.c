// expect: unknown
// flags: --max-work 2
static char b[4];

static void walk(char *p)
{
    if (p >= b)
        walk(p + 1);
}

int main(void)
{
    walk(b);
    return 0;
}
