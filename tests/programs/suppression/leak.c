// expect: verified
// suppressed: 12 memory-leak
// broken: error kind=memory-leak line=24
// broken-suppressed: 12 memory-leak
// A leak is suppressed where the memory was allocated; other leaks are reported.
#include <pthread.h>
#include <stdlib.h>

static void *work(void *unused)
{
    // impasse: suppress memory-leak: a cache
    int *cache = malloc(4);
    *cache = 1;
    cache = 0;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
#ifdef BROKEN
    malloc(8);
#endif
    return 0;
}
