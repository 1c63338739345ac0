// expect: terminating
int main(void)
{
    int a[4] = {1, 2, 3, 0};
    int i = 0;
    while (a[i] != 0)
        i++;
    return i;
}
