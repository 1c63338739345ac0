// expect: terminating
int main(void)
{
    int a[4] = {1, 2, 3, 4};
    int i = 0;
    while (i < 4 && a[i] != 0)
        i++;
    return i;
}
