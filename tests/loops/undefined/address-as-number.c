// expect: unknown
// flags: --max-work 2
#include <stdint.h>

int main(void)
{
    char b[4];
    char *p = b;
    while ((uintptr_t)p >= (uintptr_t)b)
        p++;
    return 0;
}
