// expect: terminating arithmetic=integer
// broken: nonterminating
// flags: --arithmetic integer
// Over unbounded integers the first loop begins with -65 and makes 266 iterations.
int main(void)
{
#ifdef BROKEN
    unsigned char byte = 191;
#else
    unsigned char byte = 0;
    byte = byte - 65;
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
