// expect: verified
#include <assert.h>
int main(void)
{
    unsigned unset;
    unsigned n = (unset & 0xf0) | 3;
    assert((n * 5 & 0xf) == 15);
}
