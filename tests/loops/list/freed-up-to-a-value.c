// expect: terminating
// broken: nonterminating
// The first elements are freed, and the others are walked along.
#include "list.h"

int main(void)
{
    struct node *head = build(__VERIFIER_nondet_int());
    while (head && head->value < 10) {
        struct node *one = head;
        head = head->next;
        free(one);
    }
    for (struct node *at = head; at; at = at->next) {
#ifdef BROKEN
        if (at->value == 20)
            at->next = head;
#endif
    }
    return 0;
}
