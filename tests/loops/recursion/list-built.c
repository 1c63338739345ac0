// expect: terminating
// broken: nonterminating
// A recursion makes a list from its front on: each call returns an object that it made, or null.
// With -DBROKEN, one of them points to itself.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static struct node *build(int count)
{
    if (count <= 0)
        return 0;
    struct node *one = malloc(sizeof *one);
    one->value = count;
#ifdef BROKEN
    one->next = count == 3 ? one : build(count - 1);
#else
    one->next = build(count - 1);
#endif
    return one;
}

int main(void)
{
    int sum = 0;
    for (struct node *at = build(__VERIFIER_nondet_int()); at; at = at->next)
        sum ^= at->value;
    return sum;
}
