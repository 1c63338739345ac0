// expect: terminating
// broken: nonterminating
#include <stdlib.h>

struct node {
    struct node *next;
};

int main(void)
{
    struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    if (!a || !b)
        return 0;
#ifdef BROKEN
    a->next = b; b->next = a;
#else
    a->next = b; b->next = 0;
#endif
    int n = 0;
    while (a) {
        a = a->next;
        n = !n;
    }
    return n;
}
