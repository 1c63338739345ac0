// expect: verified
// broken: error kind=data-race
// flags: --memory-model c11
// A waiting thread stores the same value again and again; nothing distinguishes these stores.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef BROKEN
#define ACQUIRE memory_order_relaxed
#else
#define ACQUIRE memory_order_acquire
#endif

static atomic_bool locked;
static int counter;

static void *work(void *unused)
{
    for (int n = 0; n < 2; n++) {
        while (atomic_exchange_explicit(&locked, 1, ACQUIRE))
            ;
        counter++;
        atomic_store_explicit(&locked, 0, memory_order_release);
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
    pthread_join(thread, 0);
    assert(counter == 4);
}
