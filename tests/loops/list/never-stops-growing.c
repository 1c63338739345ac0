// expect: nonterminating
// A list grows in front without end.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node *head = 0, *before = 0;
    do {
        struct node *one = malloc(sizeof *one);
        one->next = head;
        before = head;
        head = one;
    } while (head->next == before);
    return 0;
}
