// A lock-free stack that frees what it pops: another thread may be about to read it.
// Here two threads pop, and one of them frees what the other one has read of the list.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node
{
    int value;
    struct node *next;
};

static _Atomic(struct node *) head;

static void push(int value)
{
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = head;
    while (!atomic_compare_exchange_strong(&head, &node->next, node))
        ;
}

static int pop(void)
{
    struct node *top = head;
    struct node *next;
    do
    {
        if (top == 0)
            return -1;
        next = top->next;
    } while (!atomic_compare_exchange_strong(&head, &top, next));
    int value = top->value;
    free(top);
    return value;
}

static void *take(void *unused)
{
    pop();
    return unused;
}

int main(void)
{
    push(1);
    push(2);
    pthread_t thread;
    pthread_create(&thread, 0, take, 0);
    pop();
    pthread_join(thread, 0);
    return 0;
}
