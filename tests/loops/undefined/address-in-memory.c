// expect: unknown
// flags: --max-work 2
static char b[4];
static char *p = b;

int main(void)
{
    while (p >= b)
        p += 2;
    return 0;
}
