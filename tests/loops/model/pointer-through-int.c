// expect: terminating undefined=invalid-pointer
// ilp32: nonterminating
int main(void)
{
    int count = 10;
    unsigned address = (unsigned)(unsigned long)&count;
    while (count > 0) {
        count--;
        *(int *)(unsigned long)address = 10;
    }
    return 0;
}
