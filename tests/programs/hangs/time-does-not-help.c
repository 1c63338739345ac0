// expect: error kind=hang line=18|35
// clocks: error kind=hang line=18|35
// However often the time limit passes, no thread sets what the thread polls for.
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int done;

static void *poll(void *none)
{
    struct timespec limit;
    pthread_mutex_lock(&mutex);
    while (!done) {
        clock_gettime(CLOCK_REALTIME, &limit);
        limit.tv_sec++;
        pthread_cond_timedwait(&condition, &mutex, &limit);
    }
    pthread_mutex_unlock(&mutex);
    return none;
}

static void *forgetful(void *none)
{
    return none;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], 0, poll, 0);
    pthread_create(&threads[1], 0, forgetful, 0);
    pthread_join(threads[1], 0);
    pthread_join(threads[0], 0);
}
