// expect: unknown
// flags: --max-time 5
// Ends only where the address overflows.
int main(void)
{
    char b[4];
    char *p = b;
    while (p >= b)
        p++;
    return 0;
}
