// expect: unknown
// flags: --max-work 2
extern int __VERIFIER_nondet_int(void);

#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof(int));
    if (!p)
        return 0;
    free(p);
    *p = __VERIFIER_nondet_int();
    for (int i = 0; i < 10; i++) {
    }
    return 0;
}
