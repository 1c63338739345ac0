// expect: unknown
// flags: --arithmetic integer --max-time 5
// It ends, but a number that does not fit its type is not followed through memory.
static unsigned i;

int main(void)
{
    while (i < 4294967295u)
        i += 2147483648u;
    return 0;
}
