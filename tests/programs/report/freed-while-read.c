// expect: error kind=data-race|use-after-free message="free"
// A race with a `free` says that the object is freed, and not that it is written.
#include <pthread.h>
#include <stdlib.h>
static int *p;
static void *read_it(void *unused)
{
    int n = *p;
    return n ? unused : &p;
}
static void *free_it(void *unused)
{
    free(p);
    return unused;
}
int main(void)
{
    p = malloc(sizeof *p);
    if (!p)
        return 0;
    *p = 1;
    pthread_t reader, other;
    pthread_create(&reader, 0, read_it, 0);
    pthread_create(&other, 0, free_it, 0);
    pthread_join(reader, 0);
    pthread_join(other, 0);
}
