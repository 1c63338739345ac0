// expect: terminating
// broken: nonterminating
// A list is built and walked along by a function that returns if an element cannot be made; what
// returns early does not walk.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node *head = 0;
    int count = __VERIFIER_nondet_int();
    for (int i = 0; i < count; i++) {
        struct node *one = malloc(sizeof *one);
        if (!one)
            return 1;
        one->next = head;
        one->value = i;
        head = one;
    }
    int sum = 0;
    for (struct node *at = head; at; at = at->next) {
#ifdef BROKEN
        if (at->value == 2)
            at->next = head;
#endif
        sum ^= at->value;
    }
    return sum;
}
