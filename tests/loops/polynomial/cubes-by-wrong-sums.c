// expect: terminating
int main(void)
{
    unsigned n = 0, x = 0, y = 1, z = 6;
    while (x == n * n * n) {
        n = n + 1;
        x = x + y;
        y = y + z;
        z = z + 7;
    }
    return x;
}
