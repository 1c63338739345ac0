#include "pool.h"
#include <stdatomic.h>
#include <stdbool.h>

#ifndef SLOTS
#define SLOTS 2
#endif

static atomic_bool taken[SLOTS];

int pool_take(void)
{
    for (int slot = 0; slot < SLOTS; slot++) {
#ifdef BROKEN
        /* The bug: another thread may take the slot after it was found free. */
        if (!taken[slot]) {
            taken[slot] = true;
            return slot;
        }
#else
        if (!atomic_exchange(&taken[slot], true))
            return slot;
#endif
    }
    return -1;
}

void pool_give(int slot)
{
    taken[slot] = false;
}
