// expect: unknown
// flags: --max-time 5
static char b[4];
static char *p = b;

int main(void)
{
    while (p >= b)
        p += 2;
    return 0;
}
