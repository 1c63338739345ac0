// expect: unknown
// flags: --max-time 5
int main(void)
{
    char b[4];
    unsigned long n = 0;
    while (b + n >= b)
        n++;
    return 0;
}
