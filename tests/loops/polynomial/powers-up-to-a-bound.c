// expect: terminating
int main(void)
{
    unsigned long sum = 0, n = 0;
    unsigned steps = 0;
    while (2 * sum == n * n + n && steps < 1000) {
        n = n + 1;
        sum = sum + n;
        steps = steps + 7;
    }
    return 0;
}
