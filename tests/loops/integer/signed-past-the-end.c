// expect: terminating arithmetic=integer undefined=signed-overflow
// flags: --arithmetic integer
int main(void)
{
    int i = 1;
    while (i < 2000000000)
        i = 3 * i;
    return 0;
}
