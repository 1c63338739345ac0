#include "pool.h"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int users[2];

static void *work(void *unused)
{
    int slot = pool_take();
    assert(slot >= 0);
    assert(atomic_fetch_add(&users[slot], 1) == 0);
    atomic_fetch_sub(&users[slot], 1);
    pool_give(slot);
    return unused;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, work, 0);
    work(0);
    pthread_join(other, 0);
}
