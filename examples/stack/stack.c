#include "stack.h"

#ifdef UNTAGGED
// Planted: without a count, a thread that pops does not notice that others have popped the number
// and pushed it again on top of another one (ABA).
#define COUNT_ONE 0u
#else
#define COUNT_ONE 0x10000u
#endif

void stack_push(struct stack *stack, unsigned number)
{
    uint32_t top = atomic_load(&stack->top);
    uint32_t new_top;
    do {
        atomic_store(&stack->below[number], (uint16_t)(top & 0xffff));
        new_top = ((top & 0xffff0000u) + COUNT_ONE) | number;
    } while (!atomic_compare_exchange_strong(&stack->top, &top, new_top));
}

unsigned stack_pop(struct stack *stack)
{
    uint32_t top = atomic_load(&stack->top);
    uint32_t new_top;
    do {
        if ((top & 0xffff) == STACK_EMPTY)
            return STACK_EMPTY;
        new_top = (top & 0xffff0000u) | atomic_load(&stack->below[top & 0xffff]);
    } while (!atomic_compare_exchange_strong(&stack->top, &top, new_top));
    return top & 0xffff;
}
