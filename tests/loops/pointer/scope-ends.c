// expect: unknown undefined=use-after-return
// In the second turn the variable of the first is gone.
int main(void)
{
    int *p = 0;
    int n = 3;
    while (n) {
        if (p)
            n = *p;
        int x = 3;
        p = &x;
    }
    return 0;
}
