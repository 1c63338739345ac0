// expect: terminating
// A list is freed from its end on, and another one is appended to before.
#include "list.h"

static struct node *append(struct node *to, struct node *one)
{
    if (!to)
        return one;
    to->next = append(to->next, one);
    return to;
}

static void destroy(struct node *one)
{
    if (!one)
        return;
    destroy(one->next);
    free(one);
}

int main(void)
{
    struct node *one = malloc(sizeof *one);
    one->next = 0;
    destroy(append(build(__VERIFIER_nondet_int()), one));
    return 0;
}
