// expect: nonterminating condition=environment
#define _GNU_SOURCE
#include <sys/resource.h>
int main(void)
{
    struct rlimit limit;
    prlimit(0, RLIMIT_CPU, 0, &limit);
    for (;;)
        ;
}
