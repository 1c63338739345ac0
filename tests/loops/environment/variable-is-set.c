// expect: unknown
#include <stdlib.h>
int main(void)
{
    if (getenv("DEBUG"))
        for (;;)
            ;
    return 0;
}
