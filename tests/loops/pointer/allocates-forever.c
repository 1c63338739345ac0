// expect: nonterminating
#include <stdlib.h>

int main(void)
{
    int n = 1;
    while (n) {
        int *p = malloc(sizeof *p);
        *p = n;
        n = *p;
        free(p);
    }
    return 0;
}
