// expect: terminating
// broken: nonterminating
// A recursion makes a tree, and another one walks through it. With -DBROKEN, a leaf of it points to
// its root.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *left, *right;
};

static struct node *build(int depth)
{
    if (depth <= 0)
        return 0;
    struct node *one = malloc(sizeof *one);
    one->left = build(depth - 1);
    one->right = build(depth - 2);
    return one;
}

static unsigned size(const struct node *at)
{
    return at ? 1 + size(at->left) + size(at->right) : 0;
}

int main(void)
{
    struct node *root = build(__VERIFIER_nondet_int());
#ifdef BROKEN
    struct node *last = root;
    while (last && last->left)
        last = last->left;
    if (last)
        last->left = root;
#endif
    return size(root) == 3;
}
