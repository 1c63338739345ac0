// expect: verified
// Whatever the undefined bits are, the orders are the same.
#include <assert.h>
int main(void)
{
    unsigned unset;
    unsigned small = unset & 7, large = 16 | (unset & 7);
    assert(small < large && large >= 16 && small <= 7 && !(large < 16));
    int negative = (int)(0x80000000u | (unset & 7));
    assert(negative < 0 && negative < (int)small && (int)large > -1);
}
