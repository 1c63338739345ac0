// expect: unknown
// flags: --max-work 2
int main(void)
{
    char b[4];
    for (int i = 0; i < 3; i++) {
        char *p = b + i;
        while (p >= b)
            p += 3;
    }
    return 0;
}
