// expect: error kind=use-after-free line=41 message="node#1 (objects-have-names.c:17) after"
// trace: allocates node#1: 16 bytes
// trace: writes tagged: 0 becomes &node#1 | 1
// trace: writes node#2.next: undefined becomes &node#1
// trace: compare-exchange of head succeeds: &node#1 becomes &node#2
// trace: frees node#1
// A node has the same name in all of a trace, wherever a pointer to it is and whatever it is called
// there, also where the pointer is tagged, and though the allocation knows no type.
#include <stdatomic.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
static void *allocate(size_t bytes)
{
    // All allocations are made here.
    void *memory = malloc(bytes);
    if (!memory)
        abort();
    return memory;
}
static _Atomic(struct node *) head;
static uintptr_t tagged;
static void *push(void *unused)
{
    struct node *new = allocate(sizeof *new);
    new->value = 0;
    new->next = head;
    while (!atomic_compare_exchange_weak(&head, &new->next, new))
        ;
    return unused;
}
int main(void)
{
    push(0);
    tagged = (uintptr_t)head | 1;
    pthread_t thread;
    pthread_create(&thread, 0, push, 0);
    pthread_join(thread, 0);
    free((void *)(tagged & ~(uintptr_t)1));
    return head->next->value;
}
