// expect: unknown
// flags: --max-work 2
int main(void)
{
    char b[4];
    for (char *p = b; p <= b; p--) {
    }
    return 0;
}
