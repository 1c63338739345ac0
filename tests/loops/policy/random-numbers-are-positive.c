// expect: unknown truth=terminating
// flags: --max-time 5
#include <stdlib.h>

int main(void)
{
    unsigned n = 0;
    while ((unsigned)rand() == n)
        n++;
    return 0;
}
