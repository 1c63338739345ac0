// expect: terminating
extern int __VERIFIER_nondet_int(void);

#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof(int));
    if (!p)
        return 0;
    *p = __VERIFIER_nondet_int();
    free(p);
    for (int i = 0; i < 10; i++) {
    }
    return 0;
}
