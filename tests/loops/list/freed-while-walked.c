// expect: terminating
// broken: nonterminating
// Each element is freed after the next one was read; one that is kept is looked at again and again.
#include "list.h"

int main(void)
{
    struct node *head = build(__VERIFIER_nondet_int());
    while (head) {
        struct node *next = head->next;
#ifdef BROKEN
        if (head->value == 7)
            continue;
#endif
        free(head);
        head = next;
    }
    return 0;
}
