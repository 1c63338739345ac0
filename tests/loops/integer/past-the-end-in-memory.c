// expect: terminating arithmetic=integer
// flags: --arithmetic integer
// On the machine i wraps around, and it does not end.
static unsigned i;

int main(void)
{
    while (i < 4294967295u)
        i += 2147483648u;
    return 0;
}
