// expect: nonterminating
// The second element was made to point back to the first.
#include "list.h"

int main(void)
{
    struct node *head = build(__VERIFIER_nondet_int());
    if (head && head->next) {
        struct node *second = head->next;
        second->next = head;
    }
    for (struct node *at = head; at; at = at->next)
        ;
    return 0;
}
