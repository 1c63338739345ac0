// expect: terminating
int main(void)
{
    int x = 3;
    int *p = &x;
    while (x > 0)
        *p = x - 1;
    return 0;
}
