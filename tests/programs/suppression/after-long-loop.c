// expect: verified
// suppressed: 29 assertion
// broken: error kind=assertion line=20
// broken-suppressed: 29 assertion
// por-off: skip
// The same with a loop that exhausts the budget of a step, so that the thread is preempted between.
#include <assert.h>
#include <stdatomic.h>
#include <pthread.h>

static atomic_int ready;

static void *work(void *unused)
{
    (void)unused;
    for (int n = 0; n < 8; n++)
        if (!ready)
            return 0;
#ifdef BROKEN
    assert(0);
#endif
    return 0;
}

static void fail(void)
{
    for (volatile int n = 0; n < 25000; n++)
        ;
    assert(0); // impasse: suppress assertion
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    ready = 1;
    fail();
    pthread_join(thread, 0);
    return 0;
}
