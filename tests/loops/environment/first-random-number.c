// expect: nonterminating
#include <stdlib.h>
int main(void)
{
    if (rand() == 1804289383)
        for (;;)
            ;
    return 0;
}
