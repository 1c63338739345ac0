// expect: unknown undefined=double-free
// The second turn is not like the first: it frees what is free.
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    while (1)
        free(p);
    return 0;
}
