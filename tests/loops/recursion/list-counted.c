// expect: terminating
// broken: nonterminating
// A recursion walks along a list; with -DBROKEN, its end was made to point to its beginning.
#include "../list/list.h"

static unsigned length(const struct node *at)
{
    return at ? 1 + length(at->next) : 0;
}

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
    return length(head) == 3;
}
