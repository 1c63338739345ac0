// expect: terminating
// flags: --havoc-locals
int main(void)
{
    int x, y;
    while (x > 0 && y != 5) {
        x--;
        if (y < 5)
            y++;
    }
    return 0;
}
