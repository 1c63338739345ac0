// expect: terminating
int main(void)
{
    int i = 0;
    int step = 1;
    while (i < 100) {
        i += step;
    }
    return 0;
}
