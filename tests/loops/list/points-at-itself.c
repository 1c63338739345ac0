// expect: nonterminating
// The fourth element points to itself.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int value;
};

static struct node *build(int count)
{
    struct node *head = 0;
    for (int i = 0; i < count; i++) {
        struct node *one = malloc(sizeof *one);
        one->value = __VERIFIER_nondet_int();
        one->next = i == 3 ? one : head;
        head = one;
    }
    return head;
}

int main(void)
{
    struct node *head = build(__VERIFIER_nondet_int());
    for (struct node *at = head; at; at = at->next)
        ;
    return 0;
}
