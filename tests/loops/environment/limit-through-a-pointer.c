// expect: unknown reason=prlimit truth=terminating
// flags: --max-work 2
#define _GNU_SOURCE
#include <sys/resource.h>
int main(void)
{
    struct rlimit limit = {1, 1};
    int (*set)(int, int, const struct rlimit *, struct rlimit *) = (void *)prlimit;
    set(0, RLIMIT_CPU, &limit, 0);
    for (;;)
        ;
}
