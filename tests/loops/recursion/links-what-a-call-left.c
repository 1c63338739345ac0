// expect: nonterminating
// What a call returns may be the same object as what it left in a global variable.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};
static struct node *left;

static struct node *build(int count)
{
    if (count <= 0)
        return 0;
    struct node *one = malloc(sizeof *one);
    one->next = 0;
    if (count == 1)
        left = one;
    struct node *rest = build(count - 1);
    if (count == 2 && left)
        left->next = rest;
    one->next = rest;
    return one;
}

int main(void)
{
    int length = 0;
    for (struct node *at = build(__VERIFIER_nondet_int()); at; at = at->next)
        length ^= 1;
    return length;
}
