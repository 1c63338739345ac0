// expect: terminating
// Two lists become one, which is freed from its end on.
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
    struct node *one = build(__VERIFIER_nondet_int());
    destroy(append(build(__VERIFIER_nondet_int()), one));
    return 0;
}
