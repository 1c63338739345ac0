// expect: terminating
int main(void)
{
    int y = 0, n = 0;
    while (y < 2) {
        y = 1 - y;
        if (++n > 9)
            y = 2;
    }
    return 0;
}
