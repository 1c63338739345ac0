// expect: unknown
// flags: --max-time 5
int main(void)
{
    char b[4];
    for (char *p = b; p <= b; p--) {
    }
    return 0;
}
