// expect: error kind=hang line=15
// flags: --memory-model tso-flusher
// product: skip
// main waits for a variable that no thread stores to, whatever reaches memory late.
#include <pthread.h>
#include <stdatomic.h>
atomic_int awaited, other;
void *store(void *unused) {
    atomic_store_explicit(&other, 1, memory_order_relaxed);
    return 0;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, store, 0);
    while (!atomic_load(&awaited)) {
    }
}
