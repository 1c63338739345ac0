// expect: error kind=null-dereference line=10
// flags: --malloc-fail
// trace: calloc fails: there is no memory
#include <stdlib.h>
int main(void)
{
    int *p = malloc(4);
    int *q = calloc(1, 4);
    if (p)
        *q = 1;
    free(p);
    free(q);
}
