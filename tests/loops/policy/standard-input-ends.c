// expect: unknown truth=terminating
#include <stdio.h>

int main(void)
{
    unsigned n = 0;
    while (getchar() == (int)(n & 127))
        n++;
    return 0;
}
