// expect: terminating
#include <unistd.h>
int main(void)
{
    if (access("/etc/passwd", R_OK) == 5)
        for (;;)
            ;
    return 0;
}
