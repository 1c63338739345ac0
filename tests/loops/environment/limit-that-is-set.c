// expect: unknown truth=nonterminating
// flags: --max-work 2
#include <sys/resource.h>
int main(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_CPU, &limit) == 0 && limit.rlim_cur == RLIM_INFINITY)
        return 1;
    for (;;)
        ;
}
