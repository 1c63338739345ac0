// expect: terminating
// broken: nonterminating
// Each number becomes a leaf of a search tree. A leaf that also points up makes a circle.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct tree {
    struct tree *less, *more;
    int number;
};

static struct tree *root;

static void insert(struct tree *one)
{
    if (!root) {
        root = one;
        return;
    }
    struct tree *at = root;
    for (;;) {
        if (one->number < at->number) {
            if (!at->less) {
                at->less = one;
#ifdef BROKEN
                one->more = at;
#endif
                return;
            }
            at = at->less;
        } else {
            if (!at->more) {
                at->more = one;
                return;
            }
            at = at->more;
        }
    }
}

int main(void)
{
    int count = __VERIFIER_nondet_int();
    for (int i = 0; i < count; i++) {
        struct tree *one = malloc(sizeof *one);
        one->less = one->more = 0;
        one->number = __VERIFIER_nondet_int();
        insert(one);
    }
    return 0;
}
