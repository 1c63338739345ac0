// Two threads that take two mutexes in opposite orders, beside two that count: they hang after four
// steps, while the others have most of the states before them. With -DORDERED they take them in the
// same order.
#include <pthread.h>
#include <stdatomic.h>

#ifndef COUNT
#define COUNT 60
#endif

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x, y;

static void *count(void *counter)
{
    for (int i = 0; i < COUNT; i++)
        ++*(atomic_int *)counter;
    return 0;
}

static void both(pthread_mutex_t *first, pthread_mutex_t *second)
{
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *one(void *none)
{
    both(&a, &b);
    return none;
}

static void *other(void *none)
{
#ifdef ORDERED
    both(&a, &b);
#else
    both(&b, &a);
#endif
    return none;
}

int main(void)
{
    pthread_t threads[4];
    pthread_create(&threads[0], 0, one, 0);
    pthread_create(&threads[1], 0, other, 0);
    pthread_create(&threads[2], 0, count, &x);
    pthread_create(&threads[3], 0, count, &y);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);
}
