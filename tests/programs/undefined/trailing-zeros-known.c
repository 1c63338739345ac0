// expect: verified
// The upper bits are undefined; a defined one below them decides how many zeros are last.
#include <assert.h>
int main(void)
{
    unsigned char unset, c = 8;
    c |= unset & 0xf0;
    assert(__builtin_ctz(c) == 3);
}
