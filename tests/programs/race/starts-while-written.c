// expect: error kind=data-race line=20|27
// What is being written when a thread starts that reads it; its name among the allocated objects
// changes with that start.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int ready;

struct everything {
    pthread_t writer, reader;
    int *number;
};

static void *write(void *argument)
{
    int *number = *(int **)argument;
    *number = 0;
    ready = 1;
    *number = 1;
    return 0;
}

static void *read(void *argument)
{
    int **number = argument;
    return (void *)(long)**number;
}

int main(void)
{
    struct everything all;
    all.number = malloc(sizeof *all.number);
    pthread_create(&all.writer, 0, write, &all.number);
    if (ready) {
        pthread_create(&all.reader, 0, read, &all.number);
        pthread_join(all.reader, 0);
    }
    pthread_join(all.writer, 0);
    free(all.number);
}
