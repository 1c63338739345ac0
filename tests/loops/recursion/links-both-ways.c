// expect: nonterminating
// Each call links its object to the one that its caller made, which is not ready yet, and the last
// one links that one to its own, too.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};
static struct node *last;

static struct node *build(int count)
{
    if (count <= 0)
        return last;
    struct node *one = malloc(sizeof *one), *before = last;
    one->next = before;
    if (before && count == 1)
        before->next = one;
    last = one;
    return build(count - 1);
}

int main(void)
{
    int length = 0;
    for (struct node *at = build(__VERIFIER_nondet_int()); at; at = at->next)
        length ^= 1;
    return length;
}
