// expect: terminating
int main(void)
{
    int i = 1;
    while (i != 0)
        i = (i + 3) % 10;
    return 0;
}
