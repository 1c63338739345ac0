// expect: terminating
// broken: nonterminating
// Each number becomes a leaf of a search tree. A leaf that also points up makes a circle.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct tree {
    int number;
    struct tree *less, *more;
};

int main(void)
{
    struct tree *root = 0;
    int count = __VERIFIER_nondet_int();
    for (int i = 0; i < count; i++) {
        struct tree *one = malloc(sizeof *one);
        if (!one)
            exit(1);
        one->number = __VERIFIER_nondet_int();
        one->less = one->more = 0;
        if (!root) {
            root = one;
            continue;
        }
        struct tree *at = root;
        for (;;) {
            if (one->number < at->number) {
                if (!at->less) {
                    at->less = one;
#ifdef BROKEN
                    one->more = at;
#endif
                    break;
                }
                at = at->less;
            } else {
                if (!at->more) {
                    at->more = one;
                    break;
                }
                at = at->more;
            }
        }
    }
    return 0;
}
