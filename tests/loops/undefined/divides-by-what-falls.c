// expect: unknown undefined=division-by-zero
// flags: --max-work 2
volatile int sink;

int main(void)
{
    int n = 10;
    for (;;) {
        sink = 100 / n;
        n--;
    }
}
