// expect: verified
// suppressed: 15 hang
// broken: error kind=hang line=21
// broken-suppressed: 15 hang
// product: skip
// A thread that waits forever by design. Others must not.
#include <pthread.h>

static pthread_mutex_t never = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *serve(void *unused)
{
    // impasse: suppress hang: it sleeps until the process ends
    pthread_mutex_lock(&never);
    return unused;
}

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_mutex_lock(&never);
#ifdef BROKEN
    pthread_mutex_lock(&lock);
#endif
    pthread_create(&threads[0], 0, serve, 0);
    pthread_create(&threads[1], 0, work, 0);
    pthread_exit(0);
}
