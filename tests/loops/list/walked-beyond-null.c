// expect: unknown
// flags: --max-work 2
// A walk goes beyond the end of the list, where its behaviour is undefined.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    int count = __VERIFIER_nondet_int();
    struct node *head = 0;
    for (int i = 0; i < count; i++) {
        struct node *one = malloc(sizeof *one);
        one->next = head;
        head = one;
    }
    for (;;)
        head = head->next;
}
