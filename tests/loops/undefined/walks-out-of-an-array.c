// expect: unknown undefined=out-of-bounds
// flags: --max-work 2
int main(void)
{
    int a[4] = {1, 2, 3, 4};
    int i = 0;
    while (a[i] != 0)
        i++;
    return i;
}
