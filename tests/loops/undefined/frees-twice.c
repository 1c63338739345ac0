// expect: unknown
// flags: --max-work 2
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
