// expect: terminating
int main(void)
{
    int a[2] = {0, 5};
    while (a[0] != a[1])
        a[0]++;
    return 0;
}
