// expect: unknown
// flags: --arithmetic integer --max-work 2
// Over unbounded integers it reaches the loop that never ends; on the machine it does not.
int main(void)
{
    unsigned i = 0;
    while (i != 4294967296 && i < 3000000000u)
        i += 2147483648u;
    while (i >= 3000000000u)
        i += 1;
    return 0;
}
