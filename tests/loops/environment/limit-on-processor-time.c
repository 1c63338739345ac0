// expect: unknown reason=setrlimit truth=terminating
// flags: --max-work 2
#include <sys/resource.h>
int main(void)
{
    struct rlimit limit = {1, 1};
    setrlimit(RLIMIT_CPU, &limit);
    for (;;)
        ;
}
