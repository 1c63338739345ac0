// expect: error kind=use-after-free line=8 message="freed-by-realloc.c:7"
#include <stdlib.h>
int main(void)
{
    int *p = calloc(1, sizeof *p);
    if (!p) return 0;
    int *q = realloc(p, 100 * sizeof *p);
    int n = *p;
    free(q);
    return n;
}
