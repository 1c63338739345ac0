// expect: unknown undefined=out-of-bounds
int main(void)
{
    int a[4] = {1, 1, 1, 1};
    int i = 0;
    while (a[i] == 1)
        i++;
    return 0;
}
