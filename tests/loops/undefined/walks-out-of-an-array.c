// expect: unknown undefined=out-of-bounds
// flags: --max-time 5
int main(void)
{
    int a[4] = {1, 2, 3, 4};
    int i = 0;
    while (a[i] != 0)
        i++;
    return i;
}
