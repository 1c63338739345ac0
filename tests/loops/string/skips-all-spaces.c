// expect: terminating
int main(void)
{
    const char *p = "  x";
    while (*p == ' ')
        p++;
    return 0;
}
