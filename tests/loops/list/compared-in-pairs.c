// expect: terminating
// Each element is compared with all that follow it.
#include "list.h"

int main(void)
{
    struct node *head = build(__VERIFIER_nondet_int());
    int same = 0;
    for (struct node *one = head; one; one = one->next)
        for (struct node *other = one->next; other; other = other->next)
            same += one->value == other->value;
    return 0;
}
