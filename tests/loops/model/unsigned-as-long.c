// expect: nonterminating
// ilp32: terminating
int main(void)
{
    unsigned u = 4000000000u;
    long l = (long)u;
    while (l > 0) {
        l = (long)u;
    }
    return 0;
}
