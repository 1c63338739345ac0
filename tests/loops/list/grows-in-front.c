// expect: terminating
// broken: nonterminating
// A list is walked; with -DBROKEN, its end was made to point to its beginning.
#include "list.h"

int main(void)
{
    struct node *head = build(__VERIFIER_nondet_int());
#ifdef BROKEN
    struct node *last = head;
    while (last && last->next)
        last = last->next;
    if (last)
        last->next = head;
#endif
    int length = 0;
    for (struct node *at = head; at; at = at->next)
        length++;
    return 0;
}
