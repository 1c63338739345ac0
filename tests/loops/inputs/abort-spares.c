// expect: nonterminating
extern int __VERIFIER_nondet_int(void);

#include <stdlib.h>

int main(void)
{
    int x = __VERIFIER_nondet_int();
    while (x > 7)
        if (x == 8)
            abort();
    return 0;
}
