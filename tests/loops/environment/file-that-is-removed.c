// expect: unknown truth=nonterminating
// flags: --max-work 2
#include <unistd.h>
int main(void)
{
    if (unlink("/tmp/something"))
        return 1;
    for (;;)
        ;
}
