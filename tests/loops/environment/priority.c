// expect: unknown truth=nonterminating
// flags: --max-time 5
#include <unistd.h>
int main(void)
{
    if (nice(5) == -1)
        return 1;
    for (;;)
        ;
}
