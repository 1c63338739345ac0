// expect: nonterminating
#include <unistd.h>
int main(void)
{
    if (getpid() % 2)
        for (;;)
            ;
    return 0;
}
