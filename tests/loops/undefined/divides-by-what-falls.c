// expect: unknown undefined=division-by-zero
// flags: --max-time 5
volatile int sink;

int main(void)
{
    int n = 10;
    for (;;) {
        sink = 100 / n;
        n--;
    }
}
