// expect: terminating
int main(void)
{
    unsigned char x = 7;
    while (x != 0)
        x = x * 6;
    return 0;
}
