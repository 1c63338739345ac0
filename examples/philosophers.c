// Three philosophers, each of whom takes the fork on the left and then the one on the right:
// when all have taken the left one, no philosopher can eat. With -DPOLITE the last one reaches
// right first, and all is well.
// expect: error kind=hang line=23
#include <pthread.h>

#ifndef N
#define N 3
#endif

static pthread_mutex_t forks[N];

static void *philosopher(void *number)
{
    long left = (long)number, right = (left + 1) % N;
#ifdef POLITE
    if (left == N - 1) {
        left = 0;
        right = N - 1;
    }
#endif
    pthread_mutex_lock(&forks[left]);
    pthread_mutex_lock(&forks[right]);
    // Eats.
    pthread_mutex_unlock(&forks[right]);
    pthread_mutex_unlock(&forks[left]);
    return 0;
}

int main(void)
{
    pthread_t threads[N];
    for (long i = 0; i < N; i++)
        pthread_mutex_init(&forks[i], 0);
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], 0, philosopher, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], 0);
    return 0;
}
