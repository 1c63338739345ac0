// expect: terminating
int main(void)
{
    int x = 0, y = 0;
    while (x + y < 5) {
        x = (x + 1) % 3;
        y = (y + 1) % 4;
    }
    return 0;
}
