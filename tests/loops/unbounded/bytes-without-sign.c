// expect: nonterminating arithmetic=machine
// broken: terminating arithmetic=integer
// flags: --arithmetic integer
// The first loop makes ten iterations. As a number with sign, 191 would be -65. With -DBROKEN: eleven.
int main(void)
{
#ifdef BROKEN
    unsigned char byte = 190;
#else
    unsigned char byte = 191;
#endif
    int count = 0;
    while (byte <= 200) {
        byte++;
        count++;
    }
    while (count == 10) {
    }
    return 0;
}
