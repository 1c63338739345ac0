// expect: terminating
int main(void)
{
    int r = 0;
    while (r < 1000000000)
        r += 2;
    return r;
}
