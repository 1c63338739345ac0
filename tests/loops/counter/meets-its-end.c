// expect: terminating
int main(void)
{
    unsigned char i = 0;
    while (i != 100) {
        i += 2;
    }
    return 0;
}
