// expect: unknown
// flags: --arithmetic integer --max-work 2
// clang: -fwrapv
// Where overflow is defined, operations do not tell signed numbers from unsigned ones.
int main(void)
{
    unsigned i = 0;
    while (i < 4294967295u)
        i += 2147483648u;
    return 0;
}
