// expect: unknown
// flags: --arithmetic integer --max-work 2
// It is never equal to the bound, and grows: what loops then is not followed.
int main(void)
{
    unsigned i = 4000000000u;
    while (i != 4294967295u)
        i += i;
    return 0;
}
