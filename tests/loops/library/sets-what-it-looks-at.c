// expect: nonterminating
#include <stdlib.h>
extern char **environ;
int main(void)
{
    environ = 0;
    setenv("A", "1", 1);
    while (environ)
        ;
    return 0;
}
