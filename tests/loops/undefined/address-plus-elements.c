// expect: unknown
// flags: --max-time 5
// The distance in bytes overflows before the address does.
int main(void)
{
    int b[4];
    unsigned long n = 0;
    while (b + n >= b)
        n++;
    return 0;
}
