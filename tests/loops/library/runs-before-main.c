// expect: unknown
static void forever(void)
{
    for (;;)
        ;
}
__attribute__((section(".init_array"), used)) static void (*const start)(void) = forever;
int main(void)
{
    return 0;
}
