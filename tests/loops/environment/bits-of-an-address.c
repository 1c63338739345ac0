// expect: unknown
static int x;
int main(void)
{
    if (((unsigned long)&x >> 12) & 1)
        for (;;)
            ;
    return 0;
}
