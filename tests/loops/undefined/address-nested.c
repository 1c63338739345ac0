// expect: unknown
// flags: --max-time 5
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
