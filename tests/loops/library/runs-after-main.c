// expect: unknown
static void forever(void)
{
    for (;;)
        ;
}
__attribute__((section(".fini_array"), used)) static void (*const end)(void) = forever;
int main(void)
{
    return 0;
}
