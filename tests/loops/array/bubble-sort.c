// expect: terminating
int main(void)
{
    int a[4] = {3, 1, 4, 2};
    int again = 1;
    while (again) {
        again = 0;
        for (int i = 0; i + 1 < 4; i++)
            if (a[i] > a[i + 1]) {
                int t = a[i];
                a[i] = a[i + 1];
                a[i + 1] = t;
                again = 1;
            }
    }
    return 0;
}
