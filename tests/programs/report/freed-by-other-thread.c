// expect: error kind=use-after-free line=24 message="after it was freed by thread 1 at "
// trace: starts thread 1 in drop
// trace: frees int#1
// trace: reads p
// The report says who freed the memory, and where.
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *p;
static void *drop(void *unused)
{
    pthread_mutex_lock(&m);
    free(p);
    pthread_mutex_unlock(&m);
    return unused;
}
int main(void)
{
    pthread_t t;
    p = calloc(1, sizeof *p);
    pthread_create(&t, 0, drop, 0);
    pthread_join(t, 0);
    pthread_mutex_lock(&m);
    return *p;
}
