// expect: unknown
// broken: terminating
// flags: --arithmetic integer --max-work 2
// Over unbounded integers the byte is -65, and the loop does not end.
int main(void)
{
#ifdef BROKEN
    unsigned char byte = 191;
#else
    unsigned char byte = 0;
    byte = byte - 65;
#endif
    while (byte < 100) {
    }
    return 0;
}
