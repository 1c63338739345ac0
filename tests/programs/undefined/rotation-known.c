// expect: verified
// flags: --optimise
#include <assert.h>
int main(void)
{
    unsigned volatile unset_at_first;
    unsigned n = (unset_at_first & 0xff00) | 0x80000001u;
    unsigned rotated = n << 1 | n >> 31;
    assert((rotated & 0xff) == 3);
}
