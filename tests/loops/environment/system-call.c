// expect: unknown truth=nonterminating
// flags: --max-work 2
#include <sys/syscall.h>
#include <unistd.h>
int main(void)
{
    if (syscall(SYS_getuid) == 1000)
        return 1;
    for (;;)
        ;
}
