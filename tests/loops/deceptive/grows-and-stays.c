// expect: unknown truth=nonterminating
// flags: --max-work 2
#include <stdlib.h>

int main(void)
{
    int *a = malloc(sizeof *a);
    if (!a)
        return 0;
    *a = 3;
    while (*a > 0) {
        a = realloc(a, 2 * sizeof *a);
        if (!a)
            return 0;
        a[0] = 3;
    }
    return 0;
}
