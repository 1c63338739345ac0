// expect: terminating
int main(void)
{
    int x = 27;
    while (x != 1) {
        x = x % 2 ? 3 * x + 1 : x / 2;
    }
    return 0;
}
