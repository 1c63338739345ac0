// expect: nonterminating
// broken: terminating
// flags: --arithmetic integer
// A type with a sign holds a negative number.
int main(void)
{
    signed char byte = 0;
    byte = byte - 65;
#ifdef BROKEN
    byte = byte + 70;
#endif
    while (byte < 3) {
    }
    return 0;
}
