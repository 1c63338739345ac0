// Dining philosophers with ordered forks, eating forever. With -DCIRCLE each takes the left fork
// first, and all may have taken it at once.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 4
#endif

pthread_mutex_t forks[N];
int users[N];

void *philosopher(void *argument) {
    long me = (long)argument;
    long left = me, right = (me + 1) % N;
#ifdef CIRCLE
    long first = left, second = right;
#else
    long first = left < right ? left : right, second = left < right ? right : left;
#endif
    for (;;) {
        pthread_mutex_lock(&forks[first]);
        pthread_mutex_lock(&forks[second]);
        users[left]++;
        users[right]++;
        assert(users[left] == 1 && users[right] == 1);
        users[left]--;
        users[right]--;
        pthread_mutex_unlock(&forks[second]);
        pthread_mutex_unlock(&forks[first]);
    }
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&forks[i], 0);
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], 0, philosopher, (void *)i);
    pthread_exit(0);
}
