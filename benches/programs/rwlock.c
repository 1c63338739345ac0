// Readers and writers under a reader-writer lock, forever.
#include <assert.h>
#include <pthread.h>

#ifndef READERS
#define READERS 3
#endif
#ifndef WRITERS
#define WRITERS 2
#endif

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int a, b;

void *reader(void *unused) {
    for (;;) {
        pthread_rwlock_rdlock(&lock);
        assert(a == b);
        pthread_rwlock_unlock(&lock);
    }
}

void *writer(void *unused) {
    for (;;) {
        pthread_rwlock_wrlock(&lock);
        a = !a;
        b = !b;
        pthread_rwlock_unlock(&lock);
    }
}

int main(void) {
    pthread_t threads[READERS + WRITERS];
    for (int i = 0; i < READERS + WRITERS; i++)
        pthread_create(&threads[i], 0, i < READERS ? reader : writer, 0);
    pthread_exit(0);
}
