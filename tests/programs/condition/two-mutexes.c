// expect: verified
// broken: error kind=mutex-misuse line=21 message="waits for the condition variable condition with the mutex"
// POSIX: as long as a thread waits for a condition variable, the others must wait with its mutex.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
#ifdef BROKEN
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;
#else
#define second mutex
#endif
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static atomic_int ready;

static void *wait_with(void *with)
{
    pthread_mutex_lock(with);
    while (!ready)
        pthread_cond_wait(&condition, with);
    pthread_mutex_unlock(with);
    return 0;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], 0, wait_with, &mutex);
    pthread_create(&threads[1], 0, wait_with, &second);
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&mutex);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
}
