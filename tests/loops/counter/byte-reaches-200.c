// expect: terminating
int main(void)
{
    unsigned char i;
    int n = 0;
    for (i = 0; i < 200; i++) {
        n ^= i;
    }
    return 0;
}
