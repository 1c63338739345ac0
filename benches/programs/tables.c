// Two threads that fill a table: about N * N states of SIZE bytes each.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 40
#endif
#ifndef SIZE
#define SIZE 4096
#endif

_Atomic unsigned char table[SIZE];
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *fill(void *argument) {
    long me = (long)argument;
    for (int i = 1; i <= N; i++)
        atomic_store(&table[(me * SIZE / 2 + i) % SIZE], i);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, fill, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
}
