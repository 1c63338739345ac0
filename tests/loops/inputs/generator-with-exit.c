// expect: terminating
int main(void)
{
    unsigned x = 1;
    while (x >> 31 == 0)
        x = x * 1664525u + 1013904223u;
    return 0;
}
