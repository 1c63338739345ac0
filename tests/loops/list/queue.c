// expect: terminating
// broken: nonterminating
// What leaves a queue is freed. What is put into it again keeps it from getting empty.
#include "list.h"

struct queue {
    struct node *first, *last;
};

static void put(struct queue *queue, struct node *one)
{
    one->next = 0;
    if (queue->last)
        queue->last->next = one;
    else
        queue->first = one;
    queue->last = one;
}

static struct node *get(struct queue *queue)
{
    struct node *one = queue->first;
    queue->first = one->next;
    if (!queue->first)
        queue->last = 0;
    return one;
}

int main(void)
{
    struct queue queue = {0};
    int count = __VERIFIER_nondet_int();
    for (int i = 0; i < count; i++) {
        struct node *one = malloc(sizeof *one);
        one->value = i;
        put(&queue, one);
    }
    while (queue.first) {
        struct node *one = get(&queue);
#ifdef BROKEN
        if (one->value == 3) {
            put(&queue, one);
            continue;
        }
#endif
        free(one);
    }
    return 0;
}
