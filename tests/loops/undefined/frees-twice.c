// expect: unknown
// flags: --max-time 5
extern int __VERIFIER_nondet_int(void);

#include <stdlib.h>

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int *p = malloc(sizeof(int));
    while (n > 0) {
        free(p);
        n--;
    }
    return 0;
}
