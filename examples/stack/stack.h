// A lock-free stack of the numbers 0 to STACK_NODES - 1, each of which is in it at most once: a free
// list, as allocators have them.
#pragma once
#include <stdatomic.h>
#include <stdint.h>

#define STACK_NODES 4
#define STACK_EMPTY 0xffffu

struct stack {
    // The number on top in the lower half; in the upper half how often something was pushed.
    _Atomic uint32_t top;
    _Atomic uint16_t below[STACK_NODES];
};

#define STACK_INIT { .top = STACK_EMPTY }

// Pushes a number that is not in the stack.
void stack_push(struct stack *stack, unsigned number);

// Returns the number on top, or STACK_EMPTY if there is none.
unsigned stack_pop(struct stack *stack);
