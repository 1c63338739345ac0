// expect: error kind=undefined-value line=6
int main(void)
{
    unsigned unset;
    unsigned n = (unset & 0xf0) | 3;
    if ((n * 5 & 0x1f) == 15)
        return 0;
}
