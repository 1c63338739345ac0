// expect: terminating
// One pointer takes two steps for each that the other takes.
#include "list.h"

int main(void)
{
    struct node *head = build(__VERIFIER_nondet_int());
    struct node *slow = head, *fast = head;
    while (fast && fast->next) {
        slow = slow->next;
        fast = fast->next->next;
    }
    return 0;
}
