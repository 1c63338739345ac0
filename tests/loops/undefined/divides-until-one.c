// expect: terminating
volatile int sink;

int main(void)
{
    int n = 10;
    while (n > 0) {
        sink = 100 / n;
        n--;
    }
    return 0;
}
