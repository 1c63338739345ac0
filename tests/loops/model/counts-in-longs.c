// expect: nonterminating
// ilp32: terminating
int main(void)
{
    unsigned at = 0;
    while (at != 12) {
        at += sizeof(long);
    }
    return 0;
}
