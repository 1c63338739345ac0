// expect: nonterminating
int main(void)
{
    int a[3] = {3, 1, 2};
    int again = 1;
    while (again) {
        again = 0;
        for (int i = 0; i + 1 < 3; i++)
            if (a[i] <= a[i + 1]) {
                int t = a[i];
                a[i] = a[i + 1];
                a[i + 1] = t;
                again = 1;
            }
        if (a[0] > 2 && a[2] > 2)
            break;
        int t = a[0];
        a[0] = a[2];
        a[2] = t;
    }
    return 0;
}
