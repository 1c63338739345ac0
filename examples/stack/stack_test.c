// Two threads take numbers and give one back: nobody has a number that another one has.
#include "stack.h"

#include <assert.h>
#include <pthread.h>

static struct stack stack = STACK_INIT;
static atomic_int taken[STACK_NODES];

static unsigned take(void)
{
    unsigned number = stack_pop(&stack);
    if (number != STACK_EMPTY)
        assert(atomic_exchange(&taken[number], 1) == 0);
    return number;
}

static void give_back(unsigned number)
{
    if (number == STACK_EMPTY)
        return;
    atomic_store(&taken[number], 0);
    stack_push(&stack, number);
}

static void *work(void *unused)
{
    unsigned first = take();
    take();
    give_back(first);
    return unused;
}

int main(void)
{
    stack_push(&stack, 0);
    stack_push(&stack, 1);
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    take();
    take();
    pthread_join(thread, 0);
    return 0;
}
