// expect: terminating
int main(void)
{
    int i, a[4];
    for (i = 0; i < 4; i++)
        a[i] = 0;
    return a[0];
}
