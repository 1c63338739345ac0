// expect: terminating
// broken: nonterminating
// A stack in a global variable, each of whose elements is freed when it is taken off. One that stays
// where it is while it is looked at is never taken off.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int value;
};

static struct node *top;

static void push(int value)
{
    struct node *one = malloc(sizeof *one);
    if (!one)
        exit(1);
    one->next = top;
    one->value = value;
    top = one;
}

static int pop(void)
{
    struct node *one = top;
    int value = one->value;
#ifdef BROKEN
    if (value == 3)
        return value;
#endif
    top = one->next;
    free(one);
    return value;
}

int main(void)
{
    int count = __VERIFIER_nondet_int();
    for (int i = 0; i < count; i++)
        push(i);
    while (top)
        pop();
    return 0;
}
