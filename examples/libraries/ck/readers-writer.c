// expect: verified
// A writer and a reader share a variable that a lock for readers and writers protects.
#include <assert.h>
#include <ck_rwlock.h>
#include <pthread.h>

static ck_rwlock_t lock = CK_RWLOCK_INITIALIZER;
static int a, b;

static void *read(void *unused)
{
    ck_rwlock_read_lock(&lock);
    assert(a == b);
    ck_rwlock_read_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, read, 0);
    ck_rwlock_write_lock(&lock);
    a++;
    b++;
    ck_rwlock_write_unlock(&lock);
    pthread_join(other, 0);
}
