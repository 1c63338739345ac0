// expect: terminating
#include <stdlib.h>

int main(void)
{
    int n = 5;
    while (n) {
        int *p = malloc(sizeof *p);
        *p = n - 1;
        n = *p;
        free(p);
    }
    return 0;
}
