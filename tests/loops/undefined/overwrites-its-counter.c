// expect: unknown undefined=out-of-bounds
// flags: --max-work 2
// Where the counter lies behind the array, it runs forever.
int main(void)
{
    int i, a[4];
    for (i = 0; i <= 4; i++)
        a[i] = 0;
    return a[0];
}
