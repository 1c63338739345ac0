// expect: error kind=use-after-return line=11|23
// Only the thread has a use for the address, but the frame that the variable goes with is another
// one's.
#include <pthread.h>
#include <stdatomic.h>

pthread_t thread;
atomic_int started, result;

void *read(void *argument) {
    result = *(int *)argument;
    return 0;
}

void start(void) {
    int *local = __builtin_alloca(sizeof(int));
    *local = 1;
    pthread_create(&thread, 0, read, local);
    started = 1;
}

int main(void) {
    start();
    pthread_join(thread, 0);
}
