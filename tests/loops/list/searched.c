// expect: terminating
// broken: nonterminating
// A value is looked for; with -DBROKEN, the walk stays at each 7.
#include "list.h"

int main(void)
{
    struct node *head = build(__VERIFIER_nondet_int());
    int wanted = __VERIFIER_nondet_int();
    while (head && head->value != wanted)
#ifdef BROKEN
        if (head->value != 7)
#endif
            head = head->next;
    return 0;
}
