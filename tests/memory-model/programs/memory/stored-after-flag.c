// expect: error kind=data-race line=16|24
// flags: --memory-model tso
// The plain store comes after the store that says it is there. It need not wait in the store buffer
// for that, and is no more ordered before the read than it would be there.
#include <pthread.h>
#include <stdatomic.h>

int message;
atomic_int there;

void *send(void *unused)
{
    atomic_store_explicit(&there, 1, memory_order_release);
    if (atomic_load_explicit(&there, memory_order_relaxed) != 1)
        return 0;
    message = 1;
    return unused;
}

int main(void)
{
    pthread_t sender;
    pthread_create(&sender, 0, send, 0);
    int read = atomic_load_explicit(&there, memory_order_acquire) ? message : 0;
    pthread_join(sender, 0);
    return read > 1;
}
