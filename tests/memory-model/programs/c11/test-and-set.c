// expect: verified
// broken: error kind=data-race line=22
// A spin lock that is taken by a sequentially consistent exchange, as atomic_flag_test_and_set and
// __sync_lock_test_and_set are, and given back by a release store. Attempts in vain leave no trace.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef BROKEN
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif

static atomic_flag lock = ATOMIC_FLAG_INIT;
static int counter;

static void *work(void *unused)
{
    while (atomic_flag_test_and_set(&lock))
        ;
    counter++;
    atomic_flag_clear_explicit(&lock, RELEASE);
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    assert(counter == 3);
}
