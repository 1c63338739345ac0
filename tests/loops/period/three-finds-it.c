// expect: terminating
int main(void)
{
    int a = 1, b = 2, c = 3;
    while (a != 3) {
        int t = a;
        a = b;
        b = c;
        c = t;
    }
    return 0;
}
