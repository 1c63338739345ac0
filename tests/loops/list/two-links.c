// expect: terminating
// broken: nonterminating
// A list with links both ways is walked one way; with -DBROKEN, back as well.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct pair {
    struct pair *older, *newer;
};

int main(void)
{
    int count = __VERIFIER_nondet_int();
    struct pair *head = 0;
    for (int i = 0; i < count; i++) {
        struct pair *one = malloc(sizeof *one);
        one->older = head;
        one->newer = 0;
        if (head)
            head->newer = one;
        head = one;
    }
    struct pair *at = head;
    while (at)
#ifdef BROKEN
        at = at->older ? at->older : at->newer;
#else
        at = at->older;
#endif
    return 0;
}
