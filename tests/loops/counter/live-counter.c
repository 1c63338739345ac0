// expect: terminating
int main(void)
{
    unsigned long n = 0;
    int i = 3;
    while (i == 3) {
        n++;
        if (n == 40)
            i = 4;
    }
    return 0;
}
