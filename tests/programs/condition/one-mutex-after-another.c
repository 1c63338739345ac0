// expect: verified
// A condition variable is free for another mutex once no thread is blocked: the first waiter is
// woken, and waits only for its mutex, when the second one begins.
#include <pthread.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int waits, may_end;

static void *wait_first(void *unused)
{
    pthread_mutex_lock(&first);
    waits = 1;
    while (!may_end)
        pthread_cond_wait(&condition, &first);
    pthread_mutex_unlock(&first);
    return unused;
}

static void *signal_second(void *unused)
{
    pthread_mutex_lock(&second);
    may_end = 2;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&second);
    return unused;
}

int main(void)
{
    pthread_t waiter, signaller;
    pthread_create(&waiter, 0, wait_first, 0);
    pthread_mutex_lock(&first);
    int is_waiting = waits;
    may_end = 1;
    pthread_cond_broadcast(&condition);
    pthread_mutex_lock(&second);
    if (is_waiting) {
        pthread_create(&signaller, 0, signal_second, 0);
        while (may_end != 2)
            pthread_cond_wait(&condition, &second);
    }
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
    pthread_join(waiter, 0);
    if (is_waiting)
        pthread_join(signaller, 0);
}
