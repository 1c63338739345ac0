// expect: terminating
// flags: --main wait
static int wait(int n)
{
    while (n > 0)
        n--;
    return n;
}
