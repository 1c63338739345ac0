// expect: verified
// broken: error kind=data-race line=12|26
// flags: --optimise
// The optimiser reads the data no earlier than the flag that guards them.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int flag;
static int data;

static void *publish(void *unused) { data = 1;
#ifdef BROKEN
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
#else
    atomic_store_explicit(&flag, 1, memory_order_release);
#endif
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, publish, 0);
    int is_there = atomic_load_explicit(&flag, memory_order_acquire);
    if (is_there == 1 && data != 1)
        abort();
    pthread_join(thread, 0);
}
