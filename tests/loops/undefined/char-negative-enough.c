// expect: terminating
int main(void)
{
    signed char c = 0;
    while (c > -100)
        c--;
    return c;
}
