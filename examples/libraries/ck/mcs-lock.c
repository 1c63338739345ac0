// expect: verified
// Two threads count under an MCS lock.
#include <assert.h>
#include <ck_spinlock.h>
#include <pthread.h>

static ck_spinlock_mcs_t lock;
static int n;

static void *count(void *unused)
{
    ck_spinlock_mcs_context_t mine;
    ck_spinlock_mcs_lock(&lock, &mine);
    n++;
    ck_spinlock_mcs_unlock(&lock, &mine);
    return unused;
}

int main(void)
{
    pthread_t other;
    ck_spinlock_mcs_init(&lock);
    pthread_create(&other, 0, count, 0);
    count(0);
    pthread_join(other, 0);
    assert(n == 2);
}
