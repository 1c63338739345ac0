// expect: terminating
// broken: nonterminating
// slow: 5 s
// A list is reversed; without a copy of the link, the walk goes back and forth.
#include "list.h"

int main(void)
{
    struct node *head = build(__VERIFIER_nondet_int());
    struct node *before = 0;
    while (head) {
        struct node *next = head->next;
        head->next = before;
        before = head;
#ifdef BROKEN
        head = next ? next : before;
#else
        head = next;
#endif
    }
    return 0;
}
