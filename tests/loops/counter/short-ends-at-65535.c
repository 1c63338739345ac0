// expect: terminating
int main(void)
{
    unsigned short i = 0;
    while (i < 65535) {
        i += 5;
    }
    return 0;
}
