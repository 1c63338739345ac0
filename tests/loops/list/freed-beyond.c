// expect: unknown undefined=use-after-free
// The list is walked along again after its elements were freed.
#include "list.h"

int main(void)
{
    struct node *head = build(__VERIFIER_nondet_int());
    for (struct node *at = head; at;) {
        struct node *next = at->next;
        free(at);
        at = next;
    }
    while (head)
        head = head->next;
    return 0;
}
