// expect: terminating
int main(void)
{
    int i = 0;
    while (i % 2 == 0)
        i = i + 3;
    return i;
}
