// expect: terminating
#include <stdlib.h>
int main(void)
{
    if (!malloc(1))
        for (;;)
            ;
    return 0;
}
