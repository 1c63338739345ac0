// expect: unknown truth=nonterminating
// flags: --max-time 5
#include <unistd.h>
int main(void)
{
    if (unlink("/tmp/something"))
        return 1;
    for (;;)
        ;
}
