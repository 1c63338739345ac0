// expect: unknown truth=nonterminating
// flags: --max-work 2
#include <unistd.h>
int main(void)
{
    if (getsid(0) == 100)
        return 1;
    for (;;)
        ;
}
