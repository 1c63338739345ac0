// expect: unknown
// flags: --max-work 2
int main(void)
{
    char b[4];
    unsigned long n = 0;
    while (b + n >= b)
        n++;
    return 0;
}
