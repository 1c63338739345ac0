// expect: nonterminating condition=environment
#include <unistd.h>
int main(void)
{
    if (nice(5) == -1)
        return 1;
    for (;;)
        ;
}
