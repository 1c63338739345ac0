// expect: error kind=hang
// flags: --memory-model c11
// The wait ends only if the second load reads a value older than the first one's.
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
void *writer(void *u)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return u;
}
void *reader(void *u)
{
    while (atomic_load_explicit(&y, memory_order_relaxed) != 1 || atomic_load_explicit(&x, memory_order_relaxed) != 0)
        ;
    return u;
}
int main(void)
{
    pthread_t t, s;
    pthread_create(&t, 0, writer, 0);
    pthread_create(&s, 0, reader, 0);
    pthread_join(t, 0);
    pthread_join(s, 0);
}
