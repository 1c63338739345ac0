// expect: terminating
// clang: -fwrapv
int main(void)
{
    int i = 1;
    while (i > 0)
        i = 2 * i;
    return i;
}
