// expect: nonterminating
// ilp32: terminating
int main(void)
{
    unsigned long x = 4294967295ul;
    x++;
    while (x > 0) {
        x |= 1;
    }
    return 0;
}
