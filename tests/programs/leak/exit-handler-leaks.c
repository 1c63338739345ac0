// expect: error kind=memory-leak line=6
#include <stdlib.h>
static char *kept;
static void replaces(void)
{
    kept = malloc(1);
    kept = 0;
}
int main(void)
{
    for (int i = 0; i < 40; ++i)
        atexit(replaces);
}
