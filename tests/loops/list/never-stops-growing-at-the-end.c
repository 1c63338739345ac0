// expect: unknown truth=nonterminating
// flags: --max-work 2
// A list grows at its end without end.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node *last = malloc(sizeof *last);
    last->next = 0;
    while (last->next == 0) {
        struct node *one = malloc(sizeof *one);
        one->next = 0;
        last->next = one;
        last = one;
    }
    return 0;
}
