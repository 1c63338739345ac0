// expect: verified
// broken: error kind=use-after-return line=13
// Another thread reads a variable of an iteration that has ended.
#include <pthread.h>
#include <semaphore.h>

static sem_t may_read;
static int *shared;

static void *read_it(void *_)
{
    sem_wait(&may_read);
    return (void *)(long)*shared;
}

int main(void)
{
    sem_init(&may_read, 0, 0);
    pthread_t t;
    pthread_create(&t, 0, read_it, 0);
    for (int i = 0; i < 2; i++) {
        int number = i;
#ifdef BROKEN
        if (i == 0)
            shared = &number;
#else
        if (i == 1)
            shared = &number;
#endif
        if (i == 1) {
            sem_post(&may_read);
            pthread_join(t, 0);
            number = 4;
        }
    }
    return 0;
}
