// expect: terminating

int main(void)
{
    unsigned n = 1;
    while (1) {
        n = n * 5 + 3;
        if ((n & 1023) == 1000)
            break;
    }
    return n;
}
