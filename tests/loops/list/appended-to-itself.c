// expect: nonterminating
// The last element gets the first one for its next.
#include "list.h"

static struct node *append(struct node *to, struct node *one)
{
    if (!to)
        return one;
    to->next = append(to->next, one);
    return to;
}

int main(void)
{
    struct node *head = build(__VERIFIER_nondet_int());
    for (struct node *one = append(head, head); one; one = one->next)
        one->value = 0;
    return 0;
}
