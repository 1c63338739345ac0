// expect: verified
// suppressed: 21 null-dereference
// broken: error kind=assertion line=13
// broken-suppressed: 21 null-dereference
// A suppressed error of one thread hides no error of another one with which it has nothing to do.
#include <assert.h>
#include <pthread.h>

static void *work(void *unused)
{
    (void)unused;
#ifdef BROKEN
    assert(0);
#endif
    return 0;
}

static void *other(void *null)
{
    // impasse: suppress null-dereference
    return (void *)(long)*(int *)null;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], 0, other, 0);
    pthread_create(&threads[1], 0, work, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
