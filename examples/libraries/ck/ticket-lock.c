// expect: verified
// flags: --memory-model tso
// Two threads count under a ticket lock, whose two numbers are also read as one.
#include <assert.h>
#include <ck_spinlock.h>
#include <pthread.h>

static ck_spinlock_ticket_t lock;
static int n;

static void *count(void *unused)
{
    ck_spinlock_ticket_lock(&lock);
    n++;
    ck_spinlock_ticket_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t other;
    ck_spinlock_ticket_init(&lock);
    pthread_create(&other, 0, count, 0);
    count(0);
    pthread_join(other, 0);
    assert(n == 2);
}
