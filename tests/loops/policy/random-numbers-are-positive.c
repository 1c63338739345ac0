// expect: unknown truth=terminating
// flags: --max-work 2
#include <stdlib.h>

int main(void)
{
    unsigned n = 0;
    while ((unsigned)rand() == n)
        n++;
    return 0;
}
