/* A list of a length that is an input, which grows in front. */
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
        one->next = head;
        head = one;
    }
    return head;
}
