// expect: nonterminating
#include <unistd.h>
int main(void)
{
    if (access("/etc/passwd", R_OK) == 0)
        for (;;)
            ;
    return 0;
}
