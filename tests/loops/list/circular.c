// expect: terminating
// broken: nonterminating
// A circular list is walked along until its head comes back, or a null that is not in it.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node *head = malloc(sizeof *head);
    if (!head)
        return 1;
    head->next = head;
    int count = __VERIFIER_nondet_int();
    for (int i = 0; i < count; i++) {
        struct node *one = malloc(sizeof *one);
        if (!one)
            return 1;
        one->next = head->next;
        head->next = one;
    }
    struct node *at = head->next;
#ifdef BROKEN
    while (at)
#else
    while (at && at != head)
#endif
        at = at->next;
    return 0;
}
