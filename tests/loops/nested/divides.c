// expect: terminating
int main(void)
{
    unsigned x = 96;
    while (x > 1) {
        while (x % 2 == 0)
            x /= 2;
        while (x % 3 == 0)
            x /= 3;
    }
    return 0;
}
