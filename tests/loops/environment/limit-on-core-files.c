// expect: nonterminating condition=environment
#include <sys/resource.h>
int main(void)
{
    struct rlimit limit = {0, 0};
    setrlimit(RLIMIT_CORE, &limit);
    for (;;)
        ;
}
