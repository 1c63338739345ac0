// Each thread stores to an element of its own.
// expect: verified
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 5 };

static atomic_int element[THREADS];

static void *run(void *mine)
{
    for (int i = 0; i < 4; i++)
        atomic_store((atomic_int *)mine, i);
    return 0;
}

int main(void)
{
    pthread_t id[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&id[i], 0, run, &element[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(id[i], 0);
}
