// expect: verified
// broken: error kind=hang line=18
// The producer waits for room before it takes the lock. With -DBROKEN: The producer waits for room
// with the lock held that the consumer needs to make some.
#include <pthread.h>
#include <semaphore.h>

static sem_t items, room;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *produce(void *none)
{
    for (int n = 0; n < 2; n++) {
#ifdef BROKEN
        pthread_mutex_lock(&guard);
#endif
        sem_wait(&room);
#ifndef BROKEN
        pthread_mutex_lock(&guard);
#endif
        count++;
        pthread_mutex_unlock(&guard);
        sem_post(&items);
    }
    return none;
}

static void *consume(void *none)
{
    for (int n = 0; n < 2; n++) {
        sem_wait(&items);
        pthread_mutex_lock(&guard);
        count--;
        pthread_mutex_unlock(&guard);
        sem_post(&room);
    }
    return none;
}

int main(void)
{
    pthread_t producer, consumer;
    sem_init(&items, 0, 0);
    sem_init(&room, 0, 1);
    pthread_create(&producer, 0, produce, 0);
    pthread_create(&consumer, 0, consume, 0);
    pthread_join(producer, 0);
    pthread_join(consumer, 0);
}
