// expect: terminating
// broken: nonterminating
// A list that grows at its end is walked; with -DBROKEN, its end was made to point to its beginning.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int value;
};

static struct node *build(int count)
{
    struct node *head = malloc(sizeof *head), *last = head;
    head->next = 0;
    for (int i = 0; i < count; i++) {
        struct node *one = malloc(sizeof *one);
        one->value = __VERIFIER_nondet_int();
        one->next = 0;
        last->next = one;
        last = one;
    }
#ifdef BROKEN
    last->next = head;
#endif
    return head;
}

int main(void)
{
    struct node *head = build(__VERIFIER_nondet_int());
    int length = 0;
    for (struct node *at = head; at; at = at->next)
        length++;
    return 0;
}
