// expect: nonterminating
// The links up to some element are turned round. From the last of these a walk comes back to it.
#include "list.h"

int main(void)
{
    struct node *head = build(__VERIFIER_nondet_int());
    struct node *before = head, *first = head;
    while (head && head->value != 3) {
        struct node *next = head->next;
        head->next = before;
        before = head;
        head = next;
    }
    while (first)
        first = first->next;
    return 0;
}
