// expect: terminating
int main(void)
{
    unsigned char x = 0x11;
    while (x != 0)
        x = (unsigned char)(x << 1 | x >> 7) & 0x0f;
    return 0;
}
