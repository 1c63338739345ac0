// expect: unknown
// flags: --max-work 2
// Ends only where the address overflows.
int main(void)
{
    char b[4];
    char *p = b;
    while (p >= b)
        p++;
    return 0;
}
