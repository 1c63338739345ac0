// expect: unknown
#include <stdio.h>
int main(void)
{
    if (fopen("/etc/passwd", "r"))
        for (;;)
            ;
    return 0;
}
