// expect: nonterminating condition=environment
#include <unistd.h>
int main(void)
{
    if (chdir("/tmp"))
        return 1;
    for (;;)
        ;
}
