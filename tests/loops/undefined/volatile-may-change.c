// expect: unknown
// flags: --max-time 5
volatile int stop;

int main(void)
{
    int n = 0;
    while (n < 10)
        n += !stop;
    return 0;
}
