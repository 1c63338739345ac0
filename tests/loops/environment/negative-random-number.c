// expect: terminating
#include <stdlib.h>
int main(void)
{
    if (rand() < 0)
        for (;;)
            ;
    return 0;
}
