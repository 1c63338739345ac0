// expect: terminating
int main(void)
{
    unsigned i = 1;
    while (i > 0)
        i = 2 * i;
    return (int)i;
}
