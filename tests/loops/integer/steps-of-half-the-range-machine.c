// expect: nonterminating arithmetic=machine
// 0, 2^31, 0: on the machine it never ends.
int main(void)
{
    unsigned i = 0;
    while (i < 4294967295u)
        i += 2147483648u;
    return 0;
}
