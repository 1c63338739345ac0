// expect: terminating
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int value;
};

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
    for (struct pair *at = head; at; at = at->older)
        ;
    return 0;
}
