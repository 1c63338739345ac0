// expect: terminating
// Numbers without sign wrap around, also those that were addresses.
#include <stdint.h>

int main(void)
{
    char b[4];
    uintptr_t start = (uintptr_t)b, p = start;
    while (p >= start)
        p++;
    return 0;
}
