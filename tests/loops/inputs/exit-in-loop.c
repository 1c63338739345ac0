// expect: terminating
extern int __VERIFIER_nondet_int(void);

#include <stdlib.h>

int main(void)
{
    while (1) {
        if (__VERIFIER_nondet_int() > 3)
            exit(0);
        exit(1);
    }
    return 0;
}
