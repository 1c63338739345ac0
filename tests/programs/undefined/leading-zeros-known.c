// expect: verified
#include <assert.h>
int main(void)
{
    unsigned unset;
    unsigned c = 0x08000000u | (unset & 0xf);
    assert(__builtin_clz(c) == 4);
}
