// expect: unknown truth=terminating
#include <stdlib.h>
// flags: --max-time 5

int main(void)
{
    unsigned n = 0;
    while ((unsigned)rand() == n)
        n++;
    return 0;
}
