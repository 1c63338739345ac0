// expect: unknown
// flags: --max-work 2
volatile int stop;

int main(void)
{
    int n = 0;
    while (n < 10)
        n += !stop;
    return 0;
}
