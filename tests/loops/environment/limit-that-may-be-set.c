// expect: unknown truth=nonterminating
// flags: --max-work 2
#include <sys/resource.h>
int main(void)
{
    struct rlimit limit = {32, 32};
    if (setrlimit(RLIMIT_NOFILE, &limit))
        return 1;
    for (;;)
        ;
}
