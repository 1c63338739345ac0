// expect: terminating
int main(void)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < 100000; i++)
        sum += i * i;
    unsigned at = sum;
    while (at != 12)
        at -= at > 12 ? 1 : -1;
    return 0;
}
