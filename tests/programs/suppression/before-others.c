// expect: verified
// suppressed: 31 assertion
// broken: error kind=assertion line=21
// broken-suppressed: 31 assertion
// A suppressed error ends the execution. What other threads do before, which depends on what its
// thread did last, is explored.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready;

static void *work(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    int seen = ready;
    pthread_mutex_unlock(&lock);
    (void)seen;
#ifdef BROKEN
    assert(!seen);
#endif
    return 0;
}

static void fail(void)
{
    int n = 0;
    while (n < 3)
        n++;
    assert(n == 0); // impasse: suppress assertion: known
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_mutex_unlock(&lock);
    fail();
    pthread_join(thread, 0);
    return 0;
}
