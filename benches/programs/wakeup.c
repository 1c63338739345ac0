// Waiters that look at the flag before they take the mutex, so that they may miss the only wake-up:
// late, and seldom, as all count first. With -DCAREFUL they look at it under the mutex.
#include <pthread.h>
#include <stdatomic.h>

#ifndef COUNT
#define COUNT 10
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static atomic_int ready, counter;

static void *waiter(void *none)
{
    for (int i = 0; i < COUNT; i++)
        counter++;
#ifdef CAREFUL
    pthread_mutex_lock(&mutex);
    while (!ready)
        pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
#else
    if (!ready) {
        pthread_mutex_lock(&mutex);
        pthread_cond_wait(&condition, &mutex);
        pthread_mutex_unlock(&mutex);
    }
#endif
    return none;
}

static void *waker(void *none)
{
    for (int i = 0; i < COUNT; i++)
        counter++;
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&mutex);
    return none;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], 0, waiter, 0);
    pthread_create(&threads[1], 0, waiter, 0);
    pthread_create(&threads[2], 0, waker, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
}
