// expect: terminating arithmetic=integer
// flags: --arithmetic integer
// 0, 2^31, 2^32: over unbounded integers it ends.
int main(void)
{
    unsigned i = 0;
    while (i < 4294967295u)
        i += 2147483648u;
    return 0;
}
