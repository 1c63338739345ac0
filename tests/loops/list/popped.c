// expect: terminating
// A stack of elements, which are freed when they are taken from it.
#include "list.h"

static struct node *top;

static int pop(void)
{
    struct node *one = top;
    int value = one->value;
    top = one->next;
    free(one);
    return value;
}

int main(void)
{
    int sum = 0;
    top = build(__VERIFIER_nondet_int());
    while (top)
        sum ^= pop();
    return sum;
}
