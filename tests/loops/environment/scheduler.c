// expect: unknown truth=nonterminating
// flags: --max-work 2
#include <sched.h>
int main(void)
{
    struct sched_param priority = {1};
    if (sched_setscheduler(0, SCHED_FIFO, &priority))
        return 1;
    for (;;)
        ;
}
