// expect: error kind=undefined-value line=7
int main(void)
{
    unsigned char unset, c = 8;
    c |= unset & 4;
    int zeros = __builtin_ctz(c);
    if (zeros == 3)
        return 0;
}
