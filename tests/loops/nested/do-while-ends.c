// expect: terminating
int main(void)
{
    int x = 4;
    do {
        do {
            x--;
        } while (x > 2);
        x += 1;
    } while (x > 3);
    return 0;
}
