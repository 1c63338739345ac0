// expect: nonterminating
#include <unistd.h>
int main(void)
{
    if (isatty(0))
        for (;;)
            ;
    return 0;
}
