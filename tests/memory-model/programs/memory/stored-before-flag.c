// expect: verified
// flags: --memory-model tso
// A plain store that another delayed store orders before the read, and one that a later delayed
// store orders.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int first, second;
atomic_int there;

void *send(void *unused)
{
    first = 1;
    atomic_store_explicit(&there, 1, memory_order_release);
    second = first + 1;
    atomic_store_explicit(&there, 2, memory_order_release);
    return unused;
}

int main(void)
{
    pthread_t sender;
    pthread_create(&sender, 0, send, 0);
    switch (atomic_load_explicit(&there, memory_order_acquire)) {
    case 2:
        assert(second == 2);
        second++;
        // fall through
    case 1:
        assert(first == 1);
    }
    pthread_join(sender, 0);
    assert(second == 2 || second == 3);
}
