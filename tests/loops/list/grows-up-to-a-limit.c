// expect: terminating
// broken: nonterminating
// The loop that makes the list may be left in the middle of an iteration, right after an element
// was made.
#include "list.h"

int main(void)
{
    struct node *head = 0;
    int size = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        node->value = __VERIFIER_nondet_int();
        node->next = head;
        head = node;
        size++;
        if (size > 1000)
            break;
    }
    while (head) {
        struct node *one = head;
#ifdef BROKEN
        if (one->value == 7)
            continue;
#endif
        head = head->next;
        free(one);
    }
    return 0;
}
