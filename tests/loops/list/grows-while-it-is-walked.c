// expect: unknown truth=nonterminating
// flags: --max-work 2
// Each step of a walk adds an element at the end.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int value;
};

static struct node *end;

static struct node *build(int count)
{
    struct node *head = malloc(sizeof *head), *last = head;
    head->next = 0;
    for (int i = 0; i < count; i++) {
        struct node *one = malloc(sizeof *one);
        one->value = __VERIFIER_nondet_int();
        one->next = 0;
        last->next = one;
        last = one;
    }
    end = last;
    return head;
}

int main(void)
{
    struct node *head = build(__VERIFIER_nondet_int());
    for (struct node *at = head; at; at = at->next) {
        end->next = malloc(sizeof *end);
        end = end->next;
        end->next = 0;
    }
    return 0;
}
