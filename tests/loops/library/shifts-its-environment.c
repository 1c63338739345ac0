// expect: unknown
#include <stdlib.h>
int main(int count, char **arguments, char **environment)
{
    if (!environment[0])
        return 0;
    unsetenv("A");
    while (!environment[0])
        ;
    return 0;
}
