// expect: terminating
int main(void)
{
    double x = 0.25;
    while (x < 1.0)
        x = x * 2.0;
    return 0;
}
