// expect: unknown
// flags: --max-work 2
// The distance in bytes overflows before the address does.
int main(void)
{
    int b[4];
    unsigned long n = 0;
    while (b + n >= b)
        n++;
    return 0;
}
