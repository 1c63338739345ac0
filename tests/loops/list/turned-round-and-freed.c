// expect: terminating
// broken: nonterminating
// A list is reversed, walked along, and freed. If its first element keeps its link, the last ones
// of the reversed list are a circle.
#include "list.h"

int main(void)
{
    struct node *head = build(__VERIFIER_nondet_int());
#ifdef BROKEN
    struct node *turned = head;
#else
    struct node *turned = 0;
#endif
    while (head) {
        struct node *next = head->next;
        head->next = turned;
        turned = head;
        head = next;
    }
    for (struct node *one = turned; one; one = one->next)
        one->value = 0;
    while (turned) {
        struct node *next = turned->next;
        free(turned);
        turned = next;
    }
    return 0;
}
