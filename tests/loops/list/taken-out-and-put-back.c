// expect: nonterminating
// The last element is taken out of the list, and put back, again and again.
#include "list.h"

int main(void)
{
    struct node *head = build(__VERIFIER_nondet_int());
    struct node *taken = 0;
    while (head || taken) {
        if (head) {
            taken = head;
            head = head->next;
        } else {
            head = taken;
            taken = 0;
        }
    }
    return 0;
}
