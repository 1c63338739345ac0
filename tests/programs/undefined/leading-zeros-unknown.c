// expect: error kind=undefined-value line=6
int main(void)
{
    unsigned unset;
    unsigned c = 0x08000000u | (unset & 0x10000000u);
    if (__builtin_clz(c) == 4)
        return 0;
}
