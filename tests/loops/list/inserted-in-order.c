// expect: terminating
// broken: nonterminating
// Each new element gets to where its value belongs. If it points to itself, it is walked along
// forever.
#include "list.h"

int main(void)
{
    struct node *head = 0;
    int count = __VERIFIER_nondet_int();
    for (int i = 0; i < count; i++) {
        struct node *one = malloc(sizeof *one);
        one->value = __VERIFIER_nondet_int();
        if (!head || head->value >= one->value) {
            one->next = head;
            head = one;
            continue;
        }
        struct node *before = head;
        while (before->next && before->next->value < one->value)
            before = before->next;
#ifdef BROKEN
        before->next = one;
        one->next = before->next;
#else
        one->next = before->next;
        before->next = one;
#endif
    }
    while (head)
        head = head->next;
    return 0;
}
